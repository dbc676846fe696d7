-- What is still open?
-- Items of todo lists that were never completed, newest session first.
SELECT
  session.day,
  session.project,
  todo.status,
  left(todo.content, 56) AS content
FROM read_todos() AS todo
LEFT JOIN (
  SELECT
    session_id,
    left(min(timestamp), 10) AS day,
    regexp_extract(arg_min(project_path, timestamp), '[^/\\]+$') AS project
  FROM read_conversations()
  GROUP BY session_id
) AS session USING (session_id)
WHERE todo.status IN ('pending', 'in_progress')
ORDER BY session.day DESC NULLS LAST, todo.file_name, todo.item_index
LIMIT 15;
