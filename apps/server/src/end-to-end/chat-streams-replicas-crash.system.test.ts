import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { model, reply, slowSimulator } from '../testing/background-responses.ts';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import type { BreakingProxy } from '../testing/breaking-proxy.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { startProcess } from '../testing/process.ts';
import type { ServerProcess } from '../testing/process.ts';
import { startStrictUpstream } from '../testing/strict-upstream.ts';
import { key } from '../testing/test-server.ts';

/** STREAMS=10000 KILLS=50 FIGURES=1 for the figures of docs/reliability.md. */
const streams = Number(process.env['STREAMS'] ?? 120);
const kills = Number(process.env['KILLS'] ?? 2);
const concurrency = 40;
const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Go' }], stream: true });

interface Replica {
  process: ServerProcess;
  proxy: BreakingProxy;
  readonly start: () => Promise<ServerProcess>;
}

async function startReplica(database: string, settings: object = {}): Promise<Replica> {
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-replica-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  // The lease is longer than a busy machine stalls.
  const config = { simulator: slowSimulator, jobLeaseMs: 5000, database, ...settings };
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  const start = () => startProcess(cwd);
  const process = await start();
  return { process, start, proxy: await breakingProxy(process.url) };
}

/** What a client has received of a stream. */
interface Received {
  readonly events: string[];
  /** Positions that did not follow each other. */
  readonly faults: string[];
  connections: number;
  /** How it ended: `done`, or the code of an error. */
  end: string | undefined;
}

const nothing = (): Received => ({ events: [], faults: [], connections: 0, end: undefined });

/** Reads a stream of one key to its end, over connections to any replica that break at random. */
async function readStream(replicas: readonly Replica[], idempotencyKey: string): Promise<Received> {
  const received = nothing();
  while (received.end === undefined) {
    const { proxy } = replicas[Math.floor(Math.random() * replicas.length)] as Replica;
    if (Math.random() < 0.7) proxy.breaks.push({ sender: 'server', bytes: Math.ceil(Math.random() * 12_000) });
    await readConnection(proxy.url, idempotencyKey, received).catch(() => sleep(20));
  }
  return received;
}

async function readConnection(url: string, idempotencyKey: string, received: Received): Promise<void> {
  const { events, faults } = received;
  received.connections++;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
      'idempotency-key': idempotencyKey,
      ...(events.length > 0 && { 'last-event-id': String(events.length - 1) }),
    },
    body,
  });
  if (response.status !== 200) {
    const { error } = (await response.json()) as { error: { code: string } };
    // Nothing but an error follows what a killed replica did not store.
    if (['stream_interrupted', 'not_found'].includes(error.code)) received.end = error.code;
    else if (!['idempotency_key_in_use', 'shutting_down', 'storage_unavailable'].includes(error.code))
      faults.push(error.code);
    await sleep(20);
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  const chunks: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of chunks ?? []) {
    const complete = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    rest = complete.pop() ?? '';
    for (const event of complete) receive(event, received);
  }
}

/** Checks that an event follows the one before it. */
function receive(event: string, received: Received): void {
  const { events, faults } = received;
  const [, id, data = ''] = /^(?:id: (\d+)\n)?data: (.*)$/.exec(event) ?? [];
  if (data === '[DONE]') received.end = 'done';
  else if (data.startsWith('{"error":')) received.end = (JSON.parse(data) as { error: { code: string } }).error.code;
  else if (!event.startsWith(':')) {
    if (id !== String(events.length)) faults.push(`${id} after ${events.length - 1}`);
    events.push(data);
  }
}

const textOf = (events: readonly string[]): string =>
  events
    .map((data) => JSON.parse(data) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');

test(
  `${streams} chat streams over two replicas, ${kills} kills and connections that break lose and repeat no event`,
  { timeout: 60_000 + streams * 2000 + kills * 20_000 },
  async () => {
    const database = await createDatabase();
    const replicas = [await startReplica(database), await startReplica(database)];
    const all: Received[] = [];
    let next = 0;
    const readers = Array.from({ length: concurrency }, async () => {
      while (next < streams) all.push(await readStream(replicas, `stream-${next++}`));
    });
    const killing = (async () => {
      for (let kill = 1; kill <= kills; kill++) {
        while (all.length < (streams * kill) / (kills + 2)) await sleep(10);
        const killed = replicas[kill % 2] as Replica;
        killed.process.kill('SIGKILL');
        await killed.process.exited;
        killed.process = await killed.start();
        killed.proxy = await breakingProxy(killed.process.url);
      }
    })();
    await Promise.all([...readers, killing]);

    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
    const ended = all.filter(({ end }) => end === 'done');
    for (const { events } of ended) expect(textOf(events)).toBe(reply);
    for (const { events } of all) expect(reply.startsWith(textOf(events))).toBe(true);
    // A stream fails only if its replica was killed while it was generated.
    expect(all.length - ended.length).toBeLessThanOrEqual(kills * concurrency);
    expect(ended.length).toBeGreaterThan(0);
    expect(all.some(({ connections }) => connections > 1)).toBe(true);
    if (process.env['FIGURES'] === '1') {
      const events = all.reduce((sum, received) => sum + received.events.length, 0);
      const connections = all.reduce((sum, received) => sum + received.connections, 0);
      process.stdout.write(
        `${streams} streams, ${kills} kills, ${connections} connections, ${events} events: ${ended.length} complete, ` +
          `${all.length - ended.length} interrupted, 0 events duplicated or missing\n`,
      );
    }
  },
);

test('every reader of a killed replica gets what was stored, and the error within the lease and five seconds', async () => {
  const jobLeaseMs = 10_000;
  const settings = { jobLeaseMs, simulator: { ...slowSimulator, tokensPerSecond: 5 } };
  const database = await createDatabase();
  const generating = await startReplica(database, settings);
  const other = await startReplica(database, settings);
  let killedAt = 0;

  /** Reads the stream over the first replica, and then over the other. Returns how long it took after the kill. */
  async function read(received: Received, first: Replica): Promise<number> {
    await readConnection(first.process.url, 'killed', received).catch(() => undefined);
    while (received.end === undefined)
      await readConnection(other.process.url, 'killed', received).catch(() => sleep(20));
    return performance.now() - killedAt;
  }
  const [creator, follower, latecomer] = [nothing(), nothing(), nothing()];
  const ends = [read(creator, generating)];
  while (creator.events.length === 0) await sleep(5);
  ends.push(read(follower, other));
  while (follower.events.length === 0) await sleep(5);
  killedAt = performance.now();
  generating.process.kill('SIGKILL');
  await generating.process.exited;
  ends.push(read(latecomer, other));
  for (const ms of await Promise.all(ends)) expect(ms).toBeLessThan(jobLeaseMs + 5000);

  for (const { end, faults } of [creator, follower, latecomer])
    expect([end, faults]).toEqual(['stream_interrupted', []]);
  expect(latecomer.events).toEqual(follower.events);
  expect(creator.events.slice(0, follower.events.length)).toEqual(follower.events);
  expect(reply.startsWith(textOf(creator.events))).toBe(true);
}, 60_000);

async function sendWords(response: ServerResponse, text: string, delayMs: number): Promise<void> {
  response.setHeader('content-type', 'text/event-stream');
  const send = (delta: object, finish_reason: string | null): void =>
    void response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const content of text.match(/ ?\S+/g) ?? []) {
    send({ content }, null);
    await sleep(delayMs);
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** A model server that sends a word of the reply every 200 ms, and at once the rest of what an assistant message at the end has of it. */
async function continuingUpstream() {
  const prefixes: string[] = [];
  const { baseURL, close } = await startStrictUpstream({
    model,
    schema: z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) }),
    reply(response, { messages }) {
      const last = messages.at(-1);
      const prefix = last?.role === 'assistant' ? last.content : '';
      prefixes.push(prefix);
      void sendWords(response, reply.slice(prefix.length), prefix === '' ? 200 : 0);
    },
  });
  onTestFinished(close);
  return { baseURL, prefixes };
}

test('with continueLost, the other replica continues the reply of a killed one', async () => {
  const { baseURL, prefixes } = await continuingUpstream();
  const settings = {
    simulator: false,
    upstreams: [{ baseURL, capabilities: { assistant_prefill: true } }],
    resumableStreams: { continueLost: true },
  };
  const database = await createDatabase();
  const generating = await startReplica(database, settings);
  const other = await startReplica(database, settings);
  const received = nothing();
  const first = readConnection(generating.process.url, 'continued', received).catch(() => undefined);
  const follower = nothing();
  while (received.events.length === 0) await sleep(5);
  const followed = readConnection(other.process.url, 'continued', follower);
  while (follower.events.length < 3) await sleep(5);
  generating.process.kill('SIGKILL');
  await Promise.all([first, followed]);
  expect([follower.end, follower.faults]).toEqual(['done', []]);
  expect(textOf(follower.events)).toBe(reply);
  expect(prefixes).toHaveLength(2);
  expect(prefixes[1]).not.toBe('');
}, 60_000);
