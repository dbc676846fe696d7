-- Which hooks are slow?
SELECT hook_event, hook_name, count(*) AS runs, max(duration_ms) AS slowest_ms
FROM read_hook_events()
GROUP BY ALL
ORDER BY slowest_ms DESC NULLS LAST
LIMIT 10;
