/** A query for the projects whose counters of stored bytes do not add up to the bytes of their records. It has no rows if all do. */
export const miscountedProjects = `
  with records as (
    select project, bytes from completions
    union all select project, bytes from responses
    union all select files.project, segments.bytes from files join segments on owner = id and role = 'file'
  ),
  stored as (select project, sum(bytes) as bytes from records group by project),
  counted as (select project, sum(bytes) as bytes from modelwire_storage_counters group by project)
  select project, stored.bytes as stored, counted.bytes as counted
  from stored full join counted using (project)
  where coalesce(stored.bytes, 0) <> coalesce(counted.bytes, 0)
`;
