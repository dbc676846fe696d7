-- When each namespace was read last, in milliseconds since 1970 UTC.
SELECT namespace, epoch_ms(max(indexed_at)) FROM ahq.store_source GROUP BY namespace;
