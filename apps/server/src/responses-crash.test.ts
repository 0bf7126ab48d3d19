import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProcess } from './testing/process.ts';
import { clientOf, key } from './testing/test-server.ts';

/** KILLS=50 for a longer run. */
const kills = Number(process.env['KILLS'] ?? 3);
const model = 'words';
const reply = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-crash-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const simulator = { models: [{ id: model, reply }], tokensPerSecond: 100 };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ simulator, jobLeaseMs: 1000 }));
  return cwd;
}

/** Creates a background response; undefined when the server is killed before it has answered. */
async function create({ responses }: OpenAI, stream: boolean): Promise<string | undefined> {
  try {
    const body = { model, input: 'Go', background: true } as const;
    if (!stream) return (await responses.create(body)).id;
    for await (const event of await responses.create({ ...body, stream })) {
      if (event.type === 'response.created') return event.response.id;
    }
  } catch {
    // Killed: whether the response exists is unknown.
  }
  return undefined;
}

function ended({ responses }: OpenAI, id: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await responses.retrieve(id);
      expect(['queued', 'in_progress']).not.toContain(response.status);
      return response;
    },
    { timeout: 60_000 + kills * 5000, interval: 100 },
  );
}

/** The stored events. The client of the SDK would throw at an event of the type `error`. */
async function eventsOf(url: string, id: string): Promise<readonly ResponseStreamEvent[]> {
  const stream = await fetch(`${url}/v1/responses/${id}?stream=true`, { headers: { authorization: `Bearer ${key}` } });
  const frames = (await stream.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return frames.map((line) => JSON.parse(line.slice('data: '.length)) as ResponseStreamEvent);
}

/** The events of a response that was streamed: numbered without a gap, ended once, and complete after the last start. */
async function checkEvents(url: string, { id, status }: Response): Promise<void> {
  const events = await eventsOf(url, id);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)?.type).toBe(`response.${status}`);
  const lastStart = events.findLastIndex(({ type }) => type === 'response.in_progress');
  const text = events.slice(lastStart).map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
  if (status === 'completed') expect(text.join('')).toBe(reply);
}

test(
  `after ${kills} kills at random times every background response has ended, complete or failed with a code`,
  { timeout: (kills + 2) * 60_000 },
  async () => {
    const cwd = folder();
    const created: { readonly id: string; readonly isStreamed: boolean }[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const server = await startProcess(cwd);
      const client = clientOf(server.url);
      const creations = Array.from({ length: 4 }, async (_, index) => {
        const isStreamed = index % 2 === 0;
        const id = await create(client, isStreamed);
        if (id !== undefined) created.push({ id, isStreamed });
      });
      await Promise.race([Promise.all(creations), sleep(5000)]);
      await sleep(Math.random() * 1500);
      server.kill('SIGKILL');
      await server.gone;
      await Promise.all(creations);
    }
    const server = await startProcess(cwd);
    const client = clientOf(server.url);
    const statuses = new Map<string, number>();
    for (const { id, isStreamed } of created) {
      const response = await ended(client, id);
      statuses.set(response.status ?? '', (statuses.get(response.status ?? '') ?? 0) + 1);
      if (response.status === 'completed') expect(response.output_text).toBe(reply);
      else expect(response).toMatchObject({ status: 'failed', error: { code: 'worker_crashed' } });
      if (isStreamed) await checkEvents(server.url, response);
    }
    expect(created.length).toBeGreaterThanOrEqual(kills);
    if (process.env['FIGURES'] === '1') {
      process.stdout.write(`${kills} kills, ${created.length} responses: ${JSON.stringify([...statuses])}\n`);
    }
    server.kill('SIGKILL');
    await server.gone;
  },
);
