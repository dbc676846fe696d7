-- How much is there, by kind of file?
SELECT kind, form, count(*) AS files, sum(size_bytes) AS size_bytes
FROM read_source_files(source := 'all')
GROUP BY ALL
ORDER BY size_bytes DESC;
