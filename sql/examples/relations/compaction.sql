-- When was the context compacted, and from how many tokens?
SELECT ts, session_uid, trigger, pre_tokens
FROM read_compactions()
ORDER BY ts DESC
LIMIT 10;
