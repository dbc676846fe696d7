-- Which programs did Codex run?
SELECT cmd_verb, count(*) AS runs, count(*) FILTER (exit_code <> 0) AS failed
FROM read_tool_ops(source := 'codex')
GROUP BY cmd_verb
ORDER BY runs DESC
LIMIT 10;
