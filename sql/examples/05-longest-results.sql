-- Which tool results are the longest, and where exactly do they lie?
-- A row keeps the address of its line: file_path and byte_offset. read_events has the line itself,
-- byte for byte, at the same address: SELECT raw … WHERE file_path = … AND byte_offset = …
WITH rows AS MATERIALIZED (
  SELECT
    message_type,
    tool_name,
    tool_use_id,
    file_path,
    byte_offset,
    left(replace(message_content, chr(10), ' '), 30) AS begins_with
  FROM read_conversations()
  WHERE tool_use_id IS NOT NULL
),
calls AS (
  SELECT tool_use_id, any_value(tool_name) AS tool_name
  FROM rows
  WHERE message_type <> 'tool_result'
  GROUP BY tool_use_id
)
SELECT
  calls.tool_name,
  event.byte_length,
  left(event.file_name, 8) AS file,
  event.line_number AS line,
  event.byte_offset,
  result.begins_with
FROM rows AS result
JOIN read_events() AS event USING (file_path, byte_offset)
LEFT JOIN calls ON calls.tool_use_id = result.tool_use_id
WHERE result.message_type = 'tool_result'
ORDER BY event.byte_length DESC, event.file_path, event.byte_offset
LIMIT 10;
