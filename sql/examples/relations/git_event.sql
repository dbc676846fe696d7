-- What was committed and pushed?
SELECT ts, op, branch, sha_short, evidence
FROM read_git_events()
ORDER BY ts DESC
LIMIT 10;
