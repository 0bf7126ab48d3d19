import { expect, test } from 'vitest';
import type { ProjectStores, Stores } from '@modelwire/ports';
import { key, listen } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { failingEngine, says, scriptedEngine, slowly } from '../testing/scripted-engine.ts';
import type { ScriptedEngine } from '../testing/scripted-engine.ts';

/** A server, and POST requests of one idempotency key, whose events are read to their end. */
async function serve(engine: ScriptedEngine, change: (stores: Stores) => Stores = (stores) => stores) {
  const { stores, blobs } = memoryWork();
  const { url } = await listen({ engines: [engine], stores: change(stores), blobs });
  return async (path: string, body: object, onStart?: () => void) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'once' };
    const response = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    onStart?.();
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, text: await response.text(), isReplayed };
  };
}

const response = { model: 'scripted', input: 'Hello', stream: true };
const chat = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }], stream: true };

test.each([
  ['/responses', response],
  ['/chat/completions', chat],
])('a stream of %s that ended is replayed', async (path, body) => {
  const engine = scriptedEngine(() => slowly(says('Hi', ' there')));
  const post = await serve(engine);
  const first = await post(path, body);
  expect(await post(path, body)).toEqual({ ...first, isReplayed: true });
  expect(engine.asked).toHaveLength(1);
});

test.each([
  ['/responses', response],
  ['/chat/completions', chat],
])('a stream of %s that failed is not replayed', async (path, body) => {
  const engine = failingEngine();
  const post = await serve(engine);
  expect(await post(path, body, engine.fail)).toMatchObject({ status: 200, isReplayed: false });
  expect(await post(path, body)).toMatchObject({ isReplayed: false });
  expect(engine.asked.length).toBe(2);
});

/** What is stored last of a request is stored, but the connection breaks before that is known. */
function breakingAfterCommit(stores: Stores): Stores {
  const real = stores.project('p');
  const broken = async (stored: Promise<unknown>): Promise<never> => {
    await stored;
    throw Object.assign(new Error('broken'), { outage: { dependency: 'postgres', cause: 'connection reset' } });
  };
  const project: ProjectStores = {
    ...real,
    completions: { ...real.completions, append: (...init) => broken(real.completions.append(...init)) },
    responses: { ...real.responses, create: (...init) => broken(real.responses.create(...init)) },
  };
  return { ...stores, project: () => project };
}

test.each([
  ['/responses', { ...response, store: true }],
  ['/chat/completions', { ...chat, store: true }],
])('a stream of %s with an unknown outcome keeps its key in use', async (path, body) => {
  const engine = scriptedEngine(() => slowly(says('Hi', ' there')));
  const post = await serve(engine, breakingAfterCommit);
  expect((await post(path, body)).text).toContain('storage_unavailable');
  expect(await post(path, body)).toMatchObject({ status: 409 });
  expect(engine.asked).toHaveLength(1);
});
