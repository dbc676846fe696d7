-- Which documents did the agent write or name?
SELECT ts, action, path
FROM read_artifacts()
WHERE kind = 'document'
ORDER BY ts DESC
LIMIT 10;
