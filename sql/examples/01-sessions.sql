-- What did I work on?
-- One row a session, newest first, its sub-agents included. Days are UTC, as the records have them.
SELECT
  left(min(timestamp), 10) AS day,
  regexp_extract(arg_min(project_path, timestamp), '[^/\\]+$') AS project,
  count(*) FILTER (author = 'user') AS prompts,
  count(*) FILTER (author = 'agent' AND tool_name IS NOT NULL) AS tool_calls,
  count(DISTINCT agent_path) AS sub_agents,
  left(
    replace(
      arg_min(message_content, timestamp) FILTER (
        author IN ('user', 'caller') AND NOT is_agent AND message_content NOT LIKE '<%'
      ),
      chr(10),
      ' '
    ),
    36
  ) AS first_prompt
FROM read_conversations()
GROUP BY session_id
HAVING prompts > 0 OR tool_calls > 0
ORDER BY day DESC
LIMIT 15;
