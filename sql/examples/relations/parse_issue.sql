-- What could not be read, and where is it?
SELECT kind, detail, file_path, byte_offset
FROM read_parse_issues()
LIMIT 10;
