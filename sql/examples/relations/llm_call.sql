-- What did each model use?
SELECT
  model,
  count(*) AS calls,
  sum(input_uncached) AS uncached,
  sum(cache_read) AS cache_read,
  sum(cache_write_5m + cache_write_1h) AS cache_write,
  sum(output) AS output
FROM read_llm_calls()
GROUP BY model
ORDER BY output DESC NULLS LAST;
