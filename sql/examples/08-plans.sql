-- Which plans are there, and which session followed them?
-- A plan is named after the slug of its session; a plan without a session has outlived it.
SELECT
  plan.plan_name,
  left(split_part(plan.content, chr(10), 1), 28) AS title,
  plan.file_size AS bytes,
  session.day,
  session.project,
  session.prompts
FROM read_plans() AS plan
LEFT JOIN (
  SELECT
    slug,
    left(min(timestamp), 10) AS day,
    regexp_extract(arg_min(project_path, timestamp), '[^/\\]+$') AS project,
    count(*) FILTER (author = 'user') AS prompts
  FROM read_conversations()
  WHERE slug IS NOT NULL
  GROUP BY slug
) AS session ON session.slug = plan.plan_name
ORDER BY session.day DESC NULLS LAST, plan.plan_name
LIMIT 15;
