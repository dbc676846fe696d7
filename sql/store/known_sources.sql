-- Where every source stands; the states of parsers are large and not asked for.
SELECT
  source_id,
  file_path,
  identity,
  size_bytes,
  modified_ms,
  companions_stamp,
  indexed_offset,
  line_count,
  head_sha256,
  tail_sha256,
  reading_version,
  rewrite_count,
  is_missing,
  status,
  growth_count,
  provisional_tables
FROM ahq.store_source;
