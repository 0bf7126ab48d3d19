import { setTimeout as sleep } from 'node:timers/promises';
import { unreliableProxy } from '@modelwire/ports/testing';
import { promote, startStandby } from '@modelwire/store-postgres/testing';
import type OpenAI from 'openai';
import { APIError, toFile } from 'openai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import { useSharedStorage } from '../testing/shared-storage.ts';
import { clientOf } from '../testing/test-server.ts';

const storage = useSharedStorage();
const databaseTimeoutMs = 3000;
const pollOptions = { timeout: 60_000, interval: 20 };

/** What clients were told is stored: the content by ID. */
interface Acknowledged {
  readonly completions: Map<string, string>;
  readonly responses: Map<string, string>;
  readonly files: Map<string, string>;
}

const text = (n: string) => `text ${n} `.repeat(50);

async function storeCompletion({ chat }: OpenAI, { completions }: Acknowledged, n: string): Promise<void> {
  const messages = [{ role: 'user' as const, content: text(n) }];
  const { id } = await chat.completions.create({ model: 'counted', messages, store: true });
  completions.set(id, text(n));
}

async function storeResponse(client: OpenAI, { responses }: Acknowledged, n: string): Promise<void> {
  const { id } = await client.responses.create({ model: 'counted', input: text(n) });
  responses.set(id, text(n));
}

async function upload({ uploads }: OpenAI, { files }: Acknowledged, n: string): Promise<void> {
  const bytes = Buffer.from(text(n));
  const form = { filename: 'a.txt', purpose: 'user_data', bytes: bytes.length, mime_type: 'text/plain' } as const;
  const { id } = await uploads.create(form);
  const part = await uploads.parts.create(id, { data: await toFile(bytes, 'part') });
  const { file } = await uploads.complete(id, { part_ids: [part.id] });
  files.set(file?.id ?? '', text(n));
}

/** Stores without pause over both servers until the signal aborts. Refusals must be outages of the storage, with a code. */
function load(clients: readonly OpenAI[], acknowledged: Acknowledged, signal: AbortSignal): Promise<unknown> {
  const kinds = [storeCompletion, storeCompletion, storeResponse, upload];
  return Promise.all(
    clients.flatMap((client, replica) =>
      kinds.map(async (store, lane) => {
        for (let n = 0; !signal.aborted; n++) {
          try {
            await store(client, acknowledged, `${replica}-${lane}-${n}`);
          } catch (error) {
            if (!(error instanceof APIError)) throw error;
            expect([error.status, error.code]).toEqual([503, 'storage_unavailable']);
            await sleep(20);
          }
        }
      }),
    ),
  );
}

async function expectUnchanged(client: OpenAI, { completions, responses, files }: Acknowledged): Promise<void> {
  for (const [id, content] of completions)
    expect((await client.chat.completions.retrieve(id)).choices[0]?.message.content).toBe(content);
  for (const [id, content] of responses) expect((await client.responses.retrieve(id)).output_text).toBe(content);
  for (const [id, content] of files) expect(await (await client.files.content(id)).text()).toBe(content);
}

test('when a synchronous standby is promoted under load, nothing acknowledged is lost and batches end once', async () => {
  const primary = storage.postgres();
  const standby = await startStandby(primary, { isSynchronous: true });
  onTestFinished(() => standby.discard());
  // What a virtual address, a load balancer or a DNS name does.
  const address = await unreliableProxy(primary.url);
  onTestFinished(() => address.stop());
  const upstream = await countingUpstream(5);
  const config = { database: address.url, databaseTimeoutMs, jobLeaseMs: 2000, batchConcurrency: 4 };
  const servers = await Promise.all([1, 2].map(() => storage.startProgram({ upstream, config })));
  const clients = servers.map(({ url }) => clientOf(url));
  const [here, there] = clients as [OpenAI, OpenAI];
  const names = Array.from({ length: 1500 }, (_, n) => `line-${n}`);
  const lines = names.map((name) => inputLine(name, { model: 'counted' }));
  const batches = await Promise.all(clients.map((client) => createBatch(client, lines)));
  const acknowledged: Acknowledged = { completions: new Map(), responses: new Map(), files: new Map() };
  const stopping = new AbortController();
  const loading = load(clients, acknowledged, stopping.signal);
  await vi.waitFor(() => expect(acknowledged.files.size).toBeGreaterThan(20), pollOptions);

  await Promise.all([primary.kill(), address.stop()]);
  await promote(standby);
  address.retarget(standby.url);
  await address.start();
  const count = acknowledged.completions.size;
  const promoted = Date.now();
  await vi.waitFor(() => expect(acknowledged.completions.size).toBeGreaterThan(count), pollOptions);
  if (process.env['FIGURES'] === '1') process.stdout.write(`stored ${Date.now() - promoted} ms after the promotion\n`);
  await vi.waitFor(() => expect(acknowledged.completions.size).toBeGreaterThan(count + 50), pollOptions);
  stopping.abort();
  await loading;

  for (const { id } of batches) {
    const ended = async () => (await there.batches.retrieve(id)).status;
    await vi.waitFor(async () => expect(await ended()).toBe('completed'), pollOptions);
    const { request_counts, output_file_id } = await there.batches.retrieve(id);
    expect(request_counts).toEqual({ total: names.length, completed: names.length, failed: 0 });
    expect((await linesOf(there, output_file_id)).map(({ custom_id }) => custom_id)).toEqual(names);
  }
  await expectUnchanged(here, acknowledged);

  // The former primary returns and takes the address: it acknowledges nothing, because its standby is gone.
  await address.stop();
  await primary.start();
  address.retarget(primary.url);
  await address.start();
  const returned = { completions: new Map(), responses: new Map(), files: new Map() };
  const refused = { status: 503, code: 'storage_unavailable' };
  await expect(storeCompletion(here, returned, 'returned')).rejects.toMatchObject(refused);
  await address.stop();
  address.retarget(standby.url);
  await address.start();
  await vi.waitFor(() => storeCompletion(here, acknowledged, 'last'), pollOptions);
  await expectUnchanged(there, acknowledged);
}, 300_000);
