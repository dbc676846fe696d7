-- What did I paste and attach?
SELECT kind, mime, count(*) AS pieces, sum(size_bytes) AS size_bytes
FROM read_attachments()
GROUP BY ALL
ORDER BY pieces DESC;
