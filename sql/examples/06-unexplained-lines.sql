-- Which lines does the normalised view not explain?
-- Record types that this version does not know, and lines that are no JSON. None of them is lost:
-- each is a row of read_events, with its bytes. The file and the line are those of the first.
SELECT
  CASE
    WHEN NOT is_valid_json THEN 'no JSON'
    WHEN event_type IS NULL THEN 'no type'
    ELSE concat_ws('/', event_type, record_subtype)
  END AS kind,
  count(*) AS lines,
  left(first(file_name ORDER BY file_path, line_number), 8) AS file,
  first(line_number ORDER BY file_path, line_number) AS line,
  left(first(coalesce(parse_error, raw) ORDER BY file_path, line_number), 44) AS reason_or_raw
FROM read_events()
WHERE is_known_type IS NOT TRUE OR NOT is_valid_json
GROUP BY kind
ORDER BY lines DESC, kind
LIMIT 15;
