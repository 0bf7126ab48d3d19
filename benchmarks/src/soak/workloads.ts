import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { APIError } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { errorCode } from './api.ts';
import type { Api } from './api.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { apiKey } from './replica.ts';

export interface Soak extends Api {
  readonly urls: readonly string[];
  readonly random: Random;
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly signal: AbortSignal;
}

/** One operation of a client, from its request to its entry in the ledger. It ends with an `APIError` when the server refuses. */
export type Workload = (soak: Soak) => Promise<void>;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const question = (random: Random) => ({
  model: 'simulator',
  messages: [{ role: 'user' as const, content: `Tell me about ${random.text(8)} and ${random.text(5)}.` }],
});

/** The result, or undefined when the server refuses. */
export function unlessRefused<Result>(request: PromiseLike<Result>): Promise<Result | undefined> {
  return Promise.resolve(request).catch((error: unknown) => {
    if (error instanceof APIError && error.status !== undefined) return undefined;
    throw error;
  });
}

const chat: Workload = async ({ client, random }) => {
  await client.chat.completions.create(question(random));
};

const storedChat: Workload = async ({ client, random, ledger }) => {
  const { completions } = client.chat;
  const { id, choices } = await completions.create({ ...question(random), store: true, metadata: { run: 'soak' } });
  const text = choices[0]?.message.content ?? '';
  ledger.completions.set(id, { text, metadata: 'soak' });
  if (random.next() < 0.2) {
    const run = random.text(6);
    // Until the update is acknowledged, either value may be stored.
    ledger.completions.delete(id);
    const updated = await unlessRefused(completions.update(id, { metadata: { run } }));
    ledger.completions.set(id, { text, metadata: updated && run });
  } else if (random.next() < 0.1) {
    ledger.completions.delete(id);
    await completions.delete(id);
    ledger.deleted.add(`/chat/completions/${id}`);
  }
};

const stream: Workload = async ({ client, random, ledger, findings }) => {
  const isStored = random.next() < 0.3;
  const response = await client.chat.completions
    .create({ ...question(random), stream: true, ...(isStored && { store: true }) })
    .asResponse();
  const body = await response.text();
  let id = '';
  let text = '';
  for (const frame of body.split('\n\n')) {
    const data = /^(?:id: \d+\n)?data: (\{.*)$/.exec(frame)?.[1];
    if (data === undefined) continue;
    const code = errorCode(data);
    if (code !== undefined) {
      findings.count(`stream failed ${code}`);
      return;
    }
    const chunk = JSON.parse(data) as ChatCompletionChunk;
    id ||= chunk.id;
    text += chunk.choices[0]?.delta.content ?? '';
  }
  if (!body.endsWith('data: [DONE]\n\n')) {
    findings.add('a stream ended without [DONE] and without an error', id);
    return;
  }
  findings.count('stream finished');
  if (isStored) ledger.completions.set(id, { text, metadata: undefined });
};

/** Abandons a stream after its first bytes. */
const abandonedStream: Workload = async ({ client, random, findings }) => {
  const abort = new AbortController();
  const response = await client.chat.completions
    .create({ ...question(random), stream: true }, { signal: abort.signal })
    .asResponse();
  await response.body?.getReader().read();
  abort.abort();
  findings.count('stream abandoned');
};

/** Opens a stream and never reads it. */
const unreadStream: Workload = async ({ urls, random, findings, signal }) => {
  const url = new URL(`${random.pick(urls)}/v1/chat/completions`);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const outgoing = httpRequest(url, { method: 'POST', headers });
  outgoing.on('error', () => undefined);
  outgoing.on('response', (response) => {
    response.on('error', () => undefined);
    response.pause();
  });
  outgoing.end(JSON.stringify({ ...question(random), stream: true, n: 4 }));
  await sleep(5000, undefined, { signal }).catch(() => undefined);
  outgoing.destroy();
  findings.count('stream unread');
};

async function createFile({ client, ledger }: Soak, bytes: Buffer<ArrayBuffer>, purpose: 'batch' | 'user_data') {
  const { id } = await client.files.create({ file: new File([bytes], 'soak.jsonl'), purpose });
  ledger.files.set(id, sha256(bytes));
  return id;
}

const file: Workload = async (soak) => {
  const { client, random, ledger } = soak;
  const id = await createFile(soak, random.bytes(1 + random.below(200_000)), 'user_data');
  if (random.next() >= 0.4) return;
  ledger.files.delete(id);
  await client.files.delete(id);
  ledger.deleted.add(`/files/${id}`);
};

const upload: Workload = async ({ client, random, ledger }) => {
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.bytes(1 + random.below(300_000)));
  const content = Buffer.concat(parts);
  const { uploads } = client;
  const { id } = await uploads.create({
    filename: 'soak.bin',
    purpose: 'user_data',
    bytes: content.length,
    mime_type: 'application/octet-stream',
  });
  const stored = await Promise.all(
    parts.map((part) => unlessRefused(uploads.parts.create(id, { data: new File([part], 'part') }))),
  );
  const part_ids = stored.flatMap((part) => part?.id ?? []);
  if (part_ids.length < parts.length) {
    await uploads.cancel(id);
    return;
  }
  const md5 = createHash('md5').update(content).digest('hex');
  const { file: created } = await uploads.complete(id, { part_ids, md5 });
  ledger.files.set(created?.id ?? '', sha256(content));
};

const batch: Workload = async (soak) => {
  const { client, random, ledger } = soak;
  const endpoint = '/v1/chat/completions';
  const names = Array.from({ length: 50 + random.below(300) }, (_, at) => `line-${at}`);
  const lines = names.map((custom_id) =>
    JSON.stringify({ custom_id, method: 'POST', url: endpoint, body: question(random) }),
  );
  const input_file_id = await createFile(soak, Buffer.from(`${lines.join('\n')}\n`), 'batch');
  const { id } = await client.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  ledger.batches.set(id, names);
};

const video: Workload = async ({ client, random, ledger }) => {
  const prompt = `A ${random.text(6)} at sunset`;
  const { id } = await client.videos.create({ model: 'storyboard', prompt, seconds: '4' });
  ledger.videos.add(id);
};

const moderation: Workload = async ({ client, random }) => {
  await client.moderations.create({ input: [random.text(200), `I like ${random.text(6)}`] });
};

const lists: Workload = async ({ client, random }) => {
  await client.chat.completions.list({ limit: 20, order: random.pick(['asc', 'desc']) });
  await client.chat.completions.list({ limit: 5, metadata: { run: 'soak' } });
  await client.files.list({ limit: 20 });
  await client.batches.list({ limit: 5 });
};

/** The mix: how many loops run each workload, and how long each loop pauses between two operations, in milliseconds. */
export const mix: readonly { readonly run: Workload; readonly loops: number; readonly pauseMs: number }[] = [
  { run: chat, loops: 3, pauseMs: 30 },
  { run: storedChat, loops: 2, pauseMs: 80 },
  { run: stream, loops: 3, pauseMs: 50 },
  { run: abandonedStream, loops: 2, pauseMs: 80 },
  { run: unreadStream, loops: 2, pauseMs: 200 },
  { run: file, loops: 1, pauseMs: 300 },
  { run: upload, loops: 1, pauseMs: 700 },
  { run: batch, loops: 1, pauseMs: 15_000 },
  { run: video, loops: 1, pauseMs: 60_000 },
  { run: moderation, loops: 1, pauseMs: 150 },
  { run: lists, loops: 1, pauseMs: 300 },
];
