-- How many tokens did each model write?
-- A model call is spread over several lines and every line repeats its usage: a sum over lines
-- counts the call again and again. One call is one response_id. Of its lines the one with the
-- largest output counts, whole, the later one on a tie; a maximum per column would mix two lines.
SELECT
  coalesce(model, 'all models') AS model,
  count(*) FILTER (is_winner) AS model_calls,
  sum(output_tokens) AS naive_output_tokens,
  sum(output_tokens) FILTER (is_winner) AS output_tokens,
  round(naive_output_tokens / nullif(sum(output_tokens) FILTER (is_winner), 0), 2) AS times_too_high
FROM (
  SELECT
    model,
    output_tokens,
    row_number() OVER (
      PARTITION BY response_id
      ORDER BY output_tokens DESC, line_number DESC
    ) = 1 AS is_winner
  FROM read_conversations()
  WHERE output_tokens IS NOT NULL AND response_id IS NOT NULL AND model <> '<synthetic>'
)
GROUP BY ROLLUP (model)
ORDER BY naive_output_tokens DESC
LIMIT 15;
