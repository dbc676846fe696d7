-- Which files are edited most?
SELECT path, count(*) AS edits, sum(lines_added) AS added, sum(lines_removed) AS removed
FROM read_file_touches()
WHERE op <> 'read'
GROUP BY path
ORDER BY edits DESC
LIMIT 10;
