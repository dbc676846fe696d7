-- Which records does this version not know?
SELECT record_type, record_subtype, cli_version, sum(seen_count) AS records
FROM read_record_types_seen()
WHERE NOT is_known
GROUP BY ALL
ORDER BY records DESC;
