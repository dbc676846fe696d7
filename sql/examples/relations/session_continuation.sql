-- Which sessions go on from another?
SELECT child_uid, kind, parent_uid
FROM read_session_continuations()
ORDER BY ts DESC NULLS LAST
LIMIT 10;
