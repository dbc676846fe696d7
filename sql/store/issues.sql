-- How many diagnoses of each kind a namespace has.
SELECT s.namespace, i.kind, count(*)
FROM ahq.parse_issue AS i
JOIN ahq.store_source AS s USING (source_id)
GROUP BY ALL
ORDER BY ALL;
