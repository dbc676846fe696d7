-- What did I ask?
SELECT ts, session_uid, left(text, 60) AS prompt
FROM read_messages()
WHERE message_class = 'human_prompt'
ORDER BY ts DESC
LIMIT 10;
