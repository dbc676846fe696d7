-- How near were the limits?
SELECT window_kind, max(used_percent) AS most_used_percent, max(resets_at) AS resets_at
FROM read_rate_limit_samples(source := 'codex')
GROUP BY window_kind;
