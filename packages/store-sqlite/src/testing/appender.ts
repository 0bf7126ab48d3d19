// A process that appends until it is killed, and writes down each completion that was acknowledged.
// Arguments: the path of the database, a prefix for ids, the path of the list.
import { openSync, writeSync } from 'node:fs';
import { openSqliteStores } from '../sqlite-stores.ts';

const [path = '', prefix = '', list = ''] = process.argv.slice(2);
const acknowledged = openSync(list, 'a');
const stores = await openSqliteStores({ path });
const { completions } = stores.project('p');
let made = 0;

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
    // Synchronous: no kill comes between.
    writeSync(acknowledged, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, append));
