-- What the store is, by name: its format and when it was refreshed last.
CREATE TABLE store_meta (name VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);
