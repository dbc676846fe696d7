-- Which tools fail?
SELECT tool_name, count(*) AS calls, count(*) FILTER (is_error) AS failed
FROM read_tool_calls()
GROUP BY tool_name
ORDER BY failed DESC, calls DESC
LIMIT 10;
