import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldOf, textOf } from './api.ts';
import type { Answer, Api } from './api.ts';
import type { Findings } from './findings.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { apiKey } from './replica.ts';

export interface Soak {
  readonly api: Api;
  readonly urls: readonly string[];
  readonly random: Random;
  readonly ledger: Ledger;
  readonly findings: Findings;
  readonly signal: AbortSignal;
}

/** One operation of a client, from its request to its entry in the ledger. */
export type Workload = (soak: Soak) => Promise<void>;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const question = (random: Random, more: object = {}): object => ({
  model: 'simulator',
  messages: [{ role: 'user', content: `Tell me about ${random.text(8)} and ${random.text(5)}.` }],
  ...more,
});

function messageText(completion: unknown): string {
  const choices = fieldOf(completion, 'choices');
  return textOf(fieldOf(Array.isArray(choices) ? choices[0] : undefined, 'message'), 'content');
}

function isOk(answer: Answer): boolean {
  return answer.status === 200;
}

/** Reads a stream to its end; the text of its deltas, or undefined where it did not end with `[DONE]`. */
async function readStream(response: Response): Promise<{ id: string; text: string; isDone: boolean; error: string }> {
  const body = await response.text();
  let id = '';
  let text = '';
  let error = '';
  for (const frame of body.split('\n\n')) {
    if (!frame.startsWith('data: {')) continue;
    const chunk: unknown = JSON.parse(frame.slice(6));
    if (fieldOf(chunk, 'error') !== undefined) error = frame;
    id ||= textOf(chunk, 'id');
    const choices = fieldOf(chunk, 'choices');
    text += textOf(fieldOf(Array.isArray(choices) ? choices[0] : undefined, 'delta'), 'content');
  }
  return { id, text, isDone: body.endsWith('data: [DONE]\n\n'), error };
}

const chat: Workload = async ({ api, random }) => {
  await api.request('POST', '/v1/chat/completions', question(random));
};

const storedChat: Workload = async ({ api, random, ledger }) => {
  const answer = await api.request(
    'POST',
    '/v1/chat/completions',
    question(random, { store: true, metadata: { run: 'soak' } }),
  );
  const id = textOf(answer.json, 'id');
  if (!isOk(answer)) return;
  ledger.completions.set(id, { text: messageText(answer.json), metadata: 'soak' });
  if (random.next() < 0.2) {
    const run = random.text(6);
    // Until the update is acknowledged, either value may be stored.
    ledger.completions.delete(id);
    const updated = await api.request('POST', `/v1/chat/completions/${id}`, { metadata: { run } });
    ledger.completions.set(id, { text: messageText(answer.json), metadata: isOk(updated) ? run : undefined });
  } else if (random.next() < 0.1) {
    ledger.completions.delete(id);
    const removed = await api.request('DELETE', `/v1/chat/completions/${id}`);
    if (isOk(removed)) ledger.deleted.add(`/v1/chat/completions/${id}`);
  }
};

const stream: Workload = async ({ api, random, ledger, findings }) => {
  const isStored = random.next() < 0.3;
  const response = await api.open(
    'POST',
    '/v1/chat/completions',
    question(random, { stream: true, ...(isStored && { store: true }) }),
  );
  if (!response.ok) {
    await response.text();
    return;
  }
  const { id, text, isDone, error } = await readStream(response);
  if (isDone && error === '') {
    findings.count('stream finished');
    if (isStored) ledger.completions.set(id, { text, metadata: undefined });
  } else if (error !== '') {
    findings.count(`stream failed ${textOf(fieldOf(JSON.parse(error.slice(6)), 'error'), 'code')}`);
  } else {
    findings.add('a stream ended without [DONE] and without an error', id);
  }
};

/** Abandons a stream after its first bytes. */
const abandonedStream: Workload = async ({ api, random, findings }) => {
  const abort = new AbortController();
  const response = await api.open('POST', '/v1/chat/completions', question(random, { stream: true }), abort.signal);
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
  outgoing.end(JSON.stringify(question(random, { stream: true, n: 4 })));
  await sleep(5000, undefined, { signal }).catch(() => undefined);
  outgoing.destroy();
  findings.count('stream unread');
};

async function createFile({ api, ledger }: Soak, bytes: Buffer<ArrayBuffer>, purpose: string): Promise<string> {
  const form = new FormData();
  form.set('purpose', purpose);
  form.set('file', new Blob([bytes]), 'soak.jsonl');
  const answer = await api.request('POST', '/v1/files', form);
  const id = textOf(answer.json, 'id');
  if (isOk(answer)) ledger.files.set(id, sha256(bytes));
  return isOk(answer) ? id : '';
}

const file: Workload = async (soak) => {
  const { api, random, ledger } = soak;
  const id = await createFile(soak, random.bytes(1 + random.below(200_000)), 'user_data');
  if (id !== '' && random.next() < 0.4) {
    ledger.files.delete(id);
    const removed = await api.request('DELETE', `/v1/files/${id}`);
    if (isOk(removed)) ledger.deleted.add(`/v1/files/${id}`);
  }
};

const upload: Workload = async ({ api, random, ledger }) => {
  const parts = Array.from({ length: 1 + random.below(4) }, () => random.bytes(1 + random.below(300_000)));
  const content = Buffer.concat(parts);
  const created = await api.request('POST', '/v1/uploads', {
    filename: 'soak.bin',
    purpose: 'user_data',
    bytes: content.length,
    mime_type: 'application/octet-stream',
  });
  const id = textOf(created.json, 'id');
  if (!isOk(created)) return;
  const answers = await Promise.all(
    parts.map((part) => {
      const form = new FormData();
      form.set('data', new Blob([part]), 'part');
      return api.request('POST', `/v1/uploads/${id}/parts`, form);
    }),
  );
  if (!answers.every(isOk)) {
    await api.request('POST', `/v1/uploads/${id}/cancel`);
    return;
  }
  const md5 = createHash('md5').update(content).digest('hex');
  const part_ids = answers.map(({ json }) => textOf(json, 'id'));
  const completed = await api.request('POST', `/v1/uploads/${id}/complete`, { part_ids, md5 });
  if (isOk(completed)) ledger.files.set(textOf(fieldOf(completed.json, 'file'), 'id'), sha256(content));
};

const batch: Workload = async (soak) => {
  const { api, random, ledger } = soak;
  const names = Array.from({ length: 50 + random.below(300) }, (_, at) => `line-${String(at)}`);
  const lines = names.map((custom_id) =>
    JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: question(random) }),
  );
  const input = await createFile(soak, Buffer.from(`${lines.join('\n')}\n`), 'batch');
  if (input === '') return;
  const created = await api.request('POST', '/v1/batches', {
    input_file_id: input,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  });
  if (isOk(created)) ledger.batches.set(textOf(created.json, 'id'), names);
};

const video: Workload = async ({ api, random, ledger }) => {
  const created = await api.request('POST', '/v1/videos', {
    model: 'storyboard',
    prompt: `A ${random.text(6)} at sunset`,
    seconds: '4',
  });
  if (isOk(created)) ledger.videos.add(textOf(created.json, 'id'));
};

const moderation: Workload = async ({ api, random }) => {
  await api.request('POST', '/v1/moderations', { input: [random.text(200), `I like ${random.text(6)}`] });
};

const lists: Workload = async ({ api, random }) => {
  await api.request('GET', `/v1/chat/completions?limit=20&order=${random.pick(['asc', 'desc'])}`);
  await api.request('GET', '/v1/chat/completions?limit=5&metadata[run]=soak');
  await api.request('GET', '/v1/files?limit=20');
  await api.request('GET', '/v1/batches?limit=5');
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
