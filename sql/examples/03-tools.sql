-- Which tools are used, and how often do they fail?
-- A call and its result are two rows that share tool_use_id; the outcome is the result's. A harness
-- that records no outcome for a tool leaves it unknown: that is neither a success nor a failure.
WITH rows AS MATERIALIZED (
  SELECT author, tool_name, tool_use_id, status, message_type FROM read_conversations()
),
calls AS (
  SELECT tool_use_id, any_value(tool_name) AS tool_name
  FROM rows
  WHERE author = 'agent' AND tool_use_id IS NOT NULL
  GROUP BY tool_use_id
),
results AS (
  SELECT tool_use_id, max(status) AS status
  FROM rows
  WHERE message_type = 'tool_result'
  GROUP BY tool_use_id
)
SELECT
  tool_name,
  count(*) AS calls,
  count(*) FILTER (status = 'completed') AS completed,
  count(*) FILTER (status = 'failed') AS failed,
  count(*) FILTER (status IS NULL) AS unknown,
  round(100 * count(*) FILTER (status = 'failed') / count(*), 1) AS failed_percent
FROM calls LEFT JOIN results USING (tool_use_id)
GROUP BY tool_name
ORDER BY calls DESC, tool_name
LIMIT 15;
