-- Which outputs are longest?
SELECT tool_name, output_bytes, left(input_text, 60) AS input
FROM read_tool_io()
ORDER BY output_bytes DESC NULLS LAST
LIMIT 10;
