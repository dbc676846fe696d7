-- What sets the agent to work, and how does it end?
SELECT origin, status, count(*) AS turns
FROM read_turns()
GROUP BY ALL
ORDER BY turns DESC;
