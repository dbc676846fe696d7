-- A source that is gone keeps its rows, and one that is back is no longer gone.
UPDATE ahq.store_source SET is_missing = $2 WHERE source_id = $1;
