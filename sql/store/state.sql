-- What the next pass over a source goes on from.
SELECT state FROM ahq.store_source WHERE source_id = $1;
