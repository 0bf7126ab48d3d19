/** How many rows `manyRows` inserts into each table: the planner sees large tables. */
export const rowCount = 20_000;

const series = `with recursive series(n) as (select 1 union all select n + 1 from series where n < ${rowCount})`;
const insert = (target: string, values: string) => `insert into ${target} ${series} select ${values} from series;`;

/** SQL that copies the completion `c1` with its terms, and fills the other tables. Times and IDs have the numbers of their rows. */
export const manyRows = [
  `insert into completions (id, project_id, created_at, bytes, metadata, body, messages) ${series}
   select 'c' || n, 'p', n, bytes, metadata, body, messages from completions cross join series where id = 'c1' and n > 1;`,
  `insert into completion_terms (completion_seq, term, created_at)
   select c.seq, t.term, c.created_at from completions c cross join completion_terms t
   where c.created_at between 2 and ${rowCount} and t.completion_seq = (select seq from completions where id = 'c1');`,
  `insert into completion_summaries (completion_seq, body)
   select c.seq, s.body from completions c cross join completion_summaries s
   where c.created_at between 2 and ${rowCount} and s.completion_seq = (select seq from completions where id = 'c1');`,
  insert('idempotency_keys (digest, request_fingerprint, expires_at_ms, stream_id)', `'d' || n, '', n, 's' || n`),
  insert('tombstones (list, id, project_id, created_at, seq, deleted_at)', `'completions', 'gone' || n, 'p', n, n, n`),
  // A hundred are due now, the others in decades.
  insert(
    'blob_ledger (blob_key, due_at_ms, is_deleting)',
    `'due' || n, n + case when n > 100 then 4000000000000 else 0 end, 0`,
  ),
  insert('segments (owner_id, role, position, blob_key, bytes)', `'f' || n, 'file', 0, 'kept' || n, 1`),
  insert('upload_parts (upload_id, id, blob_key, bytes, body)', `'u' || (n % 100), 'p' || n, 'part' || n, 1, ''`),
  insert('batch_results (batch_id, line, is_failed, result)', `'b' || (n % 4), n / 4, 0, ''`),
  insert(
    `request_minutes (minute, project_id, model, duration_range, requests, errors, input_tokens, output_tokens, cached_tokens,
       cost_micros, first_tokens)`,
    `60 * n, 'p', 'm', 3, 1, 0, 0, 0, 0, 0, 0`,
  ),
  // Of these, every hundredth failed.
  insert(
    `request_log (id, created_at, project_id, key_id, endpoint, model, outcome, status, is_streamed, duration_ms)`,
    `'q' || n, n, 'p' || (n % 4), 'k' || (n % 50), '/v1/chat/completions', 'm' || (n % 50),
       case when n % 100 = 0 then 'failed' else 'succeeded' end, 200, 0, 1`,
  ),
  insert('uploads (id, project_id, status, expires_at, body)', `'u' || n, 'p', 'pending', n + 1000, '{}'`),
  insert('jobs (id, kind, project_id, due_at_ms, created_at_ms)', `'b' || n, 'batch', 'p', n, n`),
  insert('jobs (id, kind, project_id, due_at_ms, created_at_ms)', `'v' || n, 'video', 'p', n, n`),
  // Of these, every hundredth failed.
  insert(
    'webhook_deliveries (id, webhook_id, event_id, event_type, payload, status, attempts, created_at)',
    `'d' || n, 'h' || (n % 4), 'e' || n, 't', '{}', case when n % 400 = 0 then 'failed' else 'succeeded' end, '[]', n`,
  ),
  insert(
    'files (id, project_id, created_at, purpose, expires_at, body)',
    `'f' || n, 'p', n, case when n % 100 = 0 then 'batch' else 'user_data' end, n + 1000, '{}'`,
  ),
  insert(
    'batches (id, project_id, created_at, status, completed_lines, failed_lines, job_input, body)',
    `'b' || n, 'p', n, 'in_progress', 0, 0, '{}', '{}'`,
  ),
  insert('videos (id, project_id, created_at, expires_at, job_input, body)', `'v' || n, 'p', n, n + 1000, '{}', '{}'`),
  // Threads of ten responses.
  insert(
    `responses (id, project_id, created_at, thread_id, previous_response_id, status, items_length, is_streamed, bytes, body)`,
    `'r' || n, 'p', n, 'r' || (n - n % 10), case when n % 10 > 0 then 'r' || (n - 1) end, 'completed', 2, 1, 2, '{}'`,
  ),
  'insert into response_threads (id, newest_created_at) select thread_id, max(created_at) from responses group by thread_id;',
  `insert into response_items (response_seq, is_output, position, project_id, id, body)
   select seq, 1, 0, 'p', 'msg_' || id, '{}' from responses;`,
  "insert into event_streams (id, project_id, response_seq, status) select id, 'p', seq, 'ended' from responses;",
  insert(
    'event_streams (id, project_id, status, lease_expires_at_ms, expires_at_ms)',
    `'s' || n, 'p', 'open', 4000000000000, 4000000000000 + n`,
  ),
  "insert into event_segments (stream_seq, last_event, data) select seq, 0, '{}' from event_streams;",
  `insert into conversations (id, project_id, created_at, metadata, next_position) ${series}
   select 'conv' || n, 'p', n, '{}', 100000 from series where n <= 200;`,
  `insert into conversation_items (conversation_seq, position, project_id, id, body) ${series}
   select c.seq, n, 'p', 'item' || n, '{}' from series cross join conversations c where c.id = 'conv' || (1 + n % 200);`,
].join('\n');
