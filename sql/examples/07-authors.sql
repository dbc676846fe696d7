-- Who wrote all this?
-- message_role is the provider's word and calls tool results and briefs `user`; author tells them
-- apart: user, caller (a program or another agent), agent, tool, system.
SELECT
  author,
  string_agg(DISTINCT message_role, ', ' ORDER BY message_role) AS message_roles,
  count(*) AS rows,
  sum(length(message_content)) AS characters,
  bar(sum(length(message_content)), 0, max(sum(length(message_content))) OVER (), 24) AS share
FROM read_conversations()
GROUP BY author
ORDER BY characters DESC;
