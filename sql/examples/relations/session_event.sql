-- What happened beside the talk?
SELECT kind, value, count(*) AS times
FROM read_session_events()
GROUP BY ALL
ORDER BY times DESC
LIMIT 10;
