import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../testing/postgres-database.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

async function startReplicas(): Promise<readonly TestServer[]> {
  // One after the other: the first migrates the database.
  const config = { database: await createDatabase() };
  return [await startTestServer(config), await startTestServer(config)];
}

/** Longer than what is stored besides it. */
const content = 'x'.repeat(5000);
const exceeded = { status: 403, code: 'storage_quota_exceeded' };
let projectCount = 0;

describe.each([
  ['SQLite', async () => [await startTestServer()]],
  ['two replicas on PostgreSQL', startReplicas],
])('concurrent requests to %s', (_name, start) => {
  let servers: readonly TestServer[] = [];
  beforeAll(async () => void (servers = await start()), 120_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  /** Sends 32 requests, half of them to each replica. Returns how many were stored, and their bytes. */
  async function fill(
    storageLimitBytes: number,
    store: (client: ReturnType<typeof clientOf>, index: number) => Promise<unknown>,
  ): Promise<{ readonly stored: number; readonly bytes: number }> {
    const [first] = servers;
    if (!first) throw new Error('no server');
    const { keys } = first.stores;
    const project = `limited-${++projectCount}`;
    const key = await first.makeKey({ project });
    await keys.updateProject(project, { storageLimitBytes });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) => store(clientOf(servers[index % servers.length]?.url ?? '', key), index)),
    );
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const failure of failures) expect(failure).toMatchObject(exceeded);
    return { stored: outcomes.length - failures.length, bytes: await keys.storageBytes(project) };
  }

  test('store as many files as fit into the storage limit of their project', async () => {
    const outcome = await fill(12_000, (client, index) =>
      client.files.create({ file: new File([content], `${index}.txt`), purpose: 'user_data' }),
    );
    expect(outcome).toEqual({ stored: 2, bytes: 10_000 });
  });

  test('complete as many uploads as fit into the storage limit of their project', async () => {
    const outcome = await fill(12_000, async (client, index) => {
      const init = { filename: `${index}.txt`, mime_type: 'text/plain', purpose: 'user_data', bytes: 5000 } as const;
      const { id } = await client.uploads.create(init);
      const part = await client.uploads.parts.create(id, { data: new File([content], 'part') });
      return client.uploads.complete(id, { part_ids: [part.id] });
    });
    expect(outcome).toEqual({ stored: 2, bytes: 10_000 });
  });

  test('store as many completions as fit into the storage limit of their project', async () => {
    const messages = [{ role: 'user' as const, content }];
    const { stored, bytes } = await fill(40_000, (client) =>
      client.chat.completions.create({ model: 'simulator', messages, max_completion_tokens: 5, store: true }),
    );
    expect(bytes).toBeLessThanOrEqual(40_000);
    expect(stored).toBeGreaterThan(4);
  });

  test('end the stream of a completion that does not fit with an error', async () => {
    const messages = [{ role: 'user' as const, content }];
    const body = { model: 'simulator', messages, max_completion_tokens: 5, store: true, stream: true } as const;
    let chunks = 0;
    await fill(3000, async (client) => {
      try {
        for await (const chunk of await client.chat.completions.create(body)) chunks += chunk.choices.length;
      } catch (error) {
        // An error event has no status.
        throw Object.assign(new Error('refused', { cause: error }), {
          status: 403,
          code: (error as { code?: unknown }).code,
        });
      }
      throw new Error('the stream has ended without an error');
    });
    expect(chunks).toBeGreaterThan(0);
  });

  test('store as many responses as fit into the storage limit of their project', async () => {
    const { stored, bytes } = await fill(40_000, (client) =>
      client.responses.create({ model: 'simulator', input: content, max_output_tokens: 16 }),
    );
    expect(bytes).toBeLessThanOrEqual(40_000);
    expect(stored).toBeGreaterThan(4);
  });
});
