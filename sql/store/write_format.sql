-- What the store is.
INSERT INTO store_meta VALUES ('format', $1);
