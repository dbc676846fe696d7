-- What the store knows of each file that it has read.
CREATE TABLE store_source (
  source_id VARCHAR PRIMARY KEY,
  source VARCHAR NOT NULL,
  namespace VARCHAR NOT NULL,
  file_path VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  form VARCHAR NOT NULL,
  identity VARCHAR NOT NULL,
  size_bytes BIGINT NOT NULL,
  modified_ms DOUBLE NOT NULL,
  -- Changes of companions, such as the write-ahead log of a database, are changes of the source.
  companions_stamp VARCHAR NOT NULL,
  indexed_offset BIGINT NOT NULL,
  line_count BIGINT NOT NULL,
  head_sha256 VARCHAR,
  tail_sha256 VARCHAR,
  reading_version VARCHAR NOT NULL,
  state VARCHAR,
  status VARCHAR NOT NULL,
  problem VARCHAR,
  rewrite_count BIGINT NOT NULL,
  -- How often it has grown since its rows were tidied.
  growth_count BIGINT NOT NULL,
  -- Tables with rows that stand for the end of the file, comma between them.
  provisional_tables VARCHAR NOT NULL,
  is_missing BOOLEAN NOT NULL,
  indexed_at TIMESTAMPTZ NOT NULL
);
