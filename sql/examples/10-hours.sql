-- When do I ask?
-- Prompts of the history by hour of the day, three hours a row; UTC unless --timezone is set.
SELECT
  format('{:02d}-{:02d} h', hour // 3 * 3, hour // 3 * 3 + 3) AS hours,
  count(*) AS prompts,
  bar(count(*), 0, max(count(*)) OVER (), 20) AS share,
  left(replace(arg_max(display, timestamp_ms), chr(10), ' '), 40) AS latest
FROM (SELECT *, hour(to_timestamp(timestamp_ms / 1000)) AS hour FROM read_history())
WHERE hour IS NOT NULL
GROUP BY hour // 3
ORDER BY hours;
