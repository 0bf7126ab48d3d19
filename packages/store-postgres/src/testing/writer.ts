// One of several servers on one database. Writes, and prints what was acknowledged.
// Environment: URL, SCHEMA, NAME.
import { openPostgresStores } from '../postgres-stores.ts';

const { URL: url = '', SCHEMA: schema = '', NAME: name = '' } = process.env;
const stores = await openPostgresStores({ url, schema, poolSize: 4 });
const { completions, idempotency } = stores.project('p');
const ids: string[] = [];
const mine: string[] = [];

async function work(worker: number): Promise<void> {
  for (let round = 0; round < 25; round++) {
    const id = `${name}-${worker}-${round}`;
    await completions.append({
      completion: { id, object: 'chat.completion', created: round, model: 'small', choices: [], metadata: { name } },
      messages: [],
    });
    ids.push(id);
    // All servers add to the same rows in different orders.
    const used = {
      day: 0,
      project: 'p',
      keyId: 'k',
      requests: 1,
      inputTokens: 1,
      outputTokens: 2,
      cachedTokens: 3,
      costMicros: 4,
    };
    const models = round % 2 ? ['a', 'b'] : ['b', 'a'];
    await stores.usage.add(models.map((model) => ({ ...used, model })));
    const key = `${worker}-${round}`;
    if ((await idempotency.claim({ key, token: name, fingerprint: 'f', claimMs: 60_000 })).state === 'mine')
      mine.push(key);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
await stores.close();
process.stdout.write(JSON.stringify({ ids, mine }));
