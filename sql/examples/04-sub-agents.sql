-- What did the sub-agents do, and for which session?
-- Their brief is the first row of their file; its author is `caller`, not `user`.
SELECT
  left(min(timestamp), 10) AS day,
  left(parent_session_id, 8) AS parent,
  any_value(agent_role) AS role,
  count(*) FILTER (author = 'agent' AND tool_name IS NOT NULL) AS tool_calls,
  date_diff(
    'second',
    TRY_CAST(min(timestamp) AS TIMESTAMPTZ),
    TRY_CAST(max(timestamp) AS TIMESTAMPTZ)
  ) AS seconds,
  left(arg_min(message_content, line_number) FILTER (author = 'caller'), 30) AS brief
FROM read_conversations()
WHERE is_agent
GROUP BY parent_session_id, file_path
ORDER BY day DESC, tool_calls DESC
LIMIT 15;
