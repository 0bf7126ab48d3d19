// A process that appends completions, files and batch results until it is killed, and records each acknowledged completion.
// Arguments: the path of the database, a prefix for IDs, the path of the list.
import { openSync, writeSync } from 'node:fs';
import { openSqliteStores } from '../sqlite-stores.ts';

const [path = '', prefix = '', list = ''] = process.argv.slice(2);
const acknowledged = openSync(list, 'a');
const stores = await openSqliteStores({ path });
const { completions, files, batches } = stores.project('p');
const of = { input_file_id: 'f', endpoint: '/v1/chat/completions', completion_window: '24h', created_at: 1 };
await batches.create({
  batch: { id: `batch-${prefix}`, object: 'batch', status: 'in_progress', ...of },
  work: { keyId: undefined, outputExpiresAfter: undefined },
});
// May be the one of a process that was killed before.
const lease = await takeJob();
let made = 0;

async function takeJob() {
  const found = await stores.jobs.claim({ kinds: ['batch'], leaseMs: 1e12 });
  if (!found) throw new Error('no job is due');
  return found;
}

async function append(): Promise<void> {
  for (;;) {
    const id = `${prefix}-${++made}`;
    const text = `${id} `.repeat(1 + ((made * 37) % 300));
    await completions.append({
      completion: {
        id,
        object: 'chat.completion',
        created: made,
        model: 'small',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: text, refusal: null },
            finish_reason: 'stop',
            logprobs: null,
          },
        ],
        metadata: { id, prefix },
      },
      messages: [{ id: `${id}-0`, role: 'user', content: text }],
    });
    const key = `blob-${id}`;
    await stores.ledger.reserve(key, 0);
    await Promise.all([
      files.create({
        file: { id: `file-${id}`, object: 'file', bytes: 1, created_at: made, filename: 'a', purpose: 'batch' },
        mediaType: undefined,
        content: [{ key, bytes: text.length }],
      }),
      batches.addResults(lease.id, lease, [{ line: made, failed: made % 2 === 0, text }]),
    ]);
    // Synchronous, so that the process cannot be killed in between.
    writeSync(acknowledged, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, append));
