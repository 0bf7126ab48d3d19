/** A query for the projects whose counters of stored bytes do not add up to the bytes of their records. It has no rows if all do. */
export const miscountedProjects = `
  with records as (
    select project_id, bytes from completions
    union all select project_id, bytes from responses
    union all select files.project_id, segments.bytes from files join segments on owner_id = id and role = 'file'
  ),
  stored as (select project_id, sum(bytes) as bytes from records group by project_id),
  counted as (select project_id, sum(bytes) as bytes from modelwire_storage_counters group by project_id)
  select project_id, stored.bytes as stored, counted.bytes as counted
  from stored full join counted using (project_id)
  where coalesce(stored.bytes, 0) <> coalesce(counted.bytes, 0)
`;
