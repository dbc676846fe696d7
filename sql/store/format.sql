-- The format of a store, which tells whether this version can read it.
SELECT value FROM ahq.store_meta WHERE name = 'format';
