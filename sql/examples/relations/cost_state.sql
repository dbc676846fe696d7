-- What does Claude Code say that sessions cost?
SELECT session_uid, max(total_cost_usd) AS cost_usd
FROM read_cost_states()
GROUP BY session_uid
ORDER BY cost_usd DESC NULLS LAST
LIMIT 10;
