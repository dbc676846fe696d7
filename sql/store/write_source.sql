-- Where a source stands after it was read.
INSERT OR REPLACE INTO ahq.store_source (
  source_id, source, namespace, file_path, kind, form, identity, size_bytes, modified_ms,
  companions_stamp, indexed_offset, line_count, head_sha256, tail_sha256, reading_version, state,
  status, problem, rewrite_count, growth_count, provisional_tables, is_missing, indexed_at
)
VALUES (
  $1, $2, $3, $4, $5, $6, $7, $8, $9,
  $10, $11, $12, $13, $14, $15, $16,
  $17, $18, $19, $20, $21, false, now()
);
