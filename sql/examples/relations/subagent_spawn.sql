-- Which sub-agents were launched, and how did they end?
SELECT requested_type, completion_status, count(*) AS launches, sum(reported_tokens) AS tokens
FROM read_subagent_spawns()
GROUP BY ALL
ORDER BY launches DESC;
