// One of several servers on one database. Writes, and prints what was acknowledged.
// Environment: URL, SCHEMA, NAME.
import { openPostgresStores } from '../postgres-stores.ts';
import { usageOf } from './usage.ts';

const { URL: url = '', SCHEMA: schema = '', NAME: name = '' } = process.env;
const stores = await openPostgresStores({ url, schema, poolSize: 4 });
const { completions, idempotency } = stores.project('p');
const ids: string[] = [];
const claimedKeys: string[] = [];

async function work(worker: number): Promise<void> {
  for (let round = 0; round < 25; round++) {
    const id = `${name}-${worker}-${round}`;
    await completions.append({
      completion: { id, object: 'chat.completion', created: round, model: 'small', choices: [], metadata: { name } },
      messages: [],
    });
    ids.push(id);
    // All servers add to the same rows in different orders.
    const models = round % 2 ? ['a', 'b'] : ['b', 'a'];
    await stores.usage.add(models.map(usageOf));
    const key = `${worker}-${round}`;
    if ((await idempotency.claim({ key, token: name, fingerprint: 'f', claimTtlMs: 60_000 })).state === 'acquired')
      claimedKeys.push(key);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
await stores.close();
process.stdout.write(JSON.stringify({ ids, claimedKeys }));
