-- Which sessions ran longest?
SELECT session_uid, title, age(last_event_at, first_event_at) AS lasted
FROM read_sessions()
ORDER BY lasted DESC NULLS LAST
LIMIT 10;
