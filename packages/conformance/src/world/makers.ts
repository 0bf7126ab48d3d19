import { isSuccess } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Call } from '../exchange/call.ts';
import { listAt, textAt } from '../exchange/value.ts';
import type { World } from './world.ts';
import { Skip } from '../verdict.ts';

/** Sends a request that creates an object and returns its ID; throws a `Skip` on failure, which another check reports. */
export async function createObject(world: World, description: string, call: Call): Promise<string> {
  const answer = await world.send(call);
  return createdId(answer, description);
}

export function createdId(answer: Answer, description: string): string {
  const id = textAt(answer.json, 'id');
  if (!isSuccess(answer) || id === undefined) {
    throw new Skip(`it needs ${description}, and none could be created: ${answer.sent.method} ${answer.sent.path} returned ${answer.status}`); // prettier-ignore
  }
  return id;
}

export const helloMessages = [{ role: 'user', content: 'Say hello.' }] as const;

export async function newCompletion(world: World, fields: object = {}): Promise<string> {
  const body = { model: await world.chatModel(), messages: helloMessages, store: true, metadata: { conformance: world.runId }, ...fields }; // prettier-ignore
  const id = await createObject(world, 'a stored completion', { method: 'POST', path: '/chat/completions', body });
  return id;
}

/** A completion that the server does not store. */
export async function unstoredCompletion(world: World): Promise<string> {
  const body = { model: await world.chatModel(), messages: helloMessages };
  return createdId(await world.send({ method: 'POST', path: '/chat/completions', body }), 'a completion');
}

/** A stored completion that checks share and do not change. */
export const sharedCompletion = (world: World): Promise<string> =>
  world.createOnce('a stored completion', () => newCompletion(world));

/** Three messages, as items of an input. */
export const conversationTurns = [
  { role: 'user', content: 'Which river flows through Vienna?' },
  { role: 'assistant', content: 'The Danube.' },
  { role: 'user', content: [{ type: 'input_text', text: 'And through Cologne?' }] },
] as const;

export async function newResponse(world: World, fields: object = {}): Promise<string> {
  const body = { model: await world.chatModel(), input: conversationTurns, ...fields };
  return createObject(world, 'a stored response', { method: 'POST', path: '/responses', body });
}

/** A stored response with three input items that checks share and do not change. */
export const sharedResponse = (world: World): Promise<string> =>
  world.createOnce('a stored response', () => newResponse(world));

export function newConversation(world: World, fields: object = {}): Promise<string> {
  const body = { items: conversationTurns, metadata: { conformance: world.runId }, ...fields };
  return createObject(world, 'a conversation', { method: 'POST', path: '/conversations', body });
}

/** A conversation with three items that checks share and do not change. */
export const sharedConversation = (world: World): Promise<string> =>
  world.createOnce('a conversation', () => newConversation(world));

/** A conversation and its first item, as `conversation/item`. */
export async function conversationWithItem(world: World, conversation: string): Promise<string> {
  const answer = await world.send({ method: 'GET', path: `/conversations/${conversation}/items` });
  const item = textAt(answer.json, 'data', -1, 'id');
  if (item === undefined) throw new Skip(`it needs an item of a conversation, and listing them returned ${answer.status}`); // prettier-ignore
  return `${conversation}/${item}`;
}

export function newFile(
  world: World,
  content: string,
  purpose = 'user_data',
  name = 'conformance.txt',
): Promise<string> {
  return createObject(world, 'a file', fileCall(content, purpose, name));
}

export const fileCall = (content: string, purpose: string, name = 'conformance.txt'): Call => ({
  method: 'POST',
  path: '/files',
  form: { fields: { purpose }, file: { field: 'file', name, bytes: new Blob([content]) } },
});

/** The embedding model that is configured, or the first listed one whose ID looks like an embedding model. */
export const embeddingModel = (world: World): Promise<string> =>
  world.createOnce('an embedding model', async () => {
    const { embedding } = world.settings.models;
    if (embedding !== undefined) return embedding;
    const answer = await world.sendOnce('the models', () => ({ method: 'GET', path: '/models' }));
    const ids = listAt(answer.json, 'data').map((model) => textAt(model, 'id') ?? '');
    const found = ids.find((id) => /embed/i.test(id));
    if (found === undefined) throw new Skip('no embedding model is listed: name one with models.embedding');
    return found;
  });

export const FILE_TEXT = 'Rivers run to the sea, and the sea is not full.';

/** A file that checks share and do not change. */
export const sharedFile = (world: World): Promise<string> =>
  world.createOnce('a file', () => newFile(world, FILE_TEXT));

export const uploadBody = (bytes: number): Readonly<Record<string, unknown>> => ({
  filename: 'conformance.txt',
  bytes,
  mime_type: 'text/plain',
  purpose: 'user_data',
});

export function newUpload(world: World, bytes: number): Promise<string> {
  return createObject(world, 'an upload', { method: 'POST', path: '/uploads', body: uploadBody(bytes) });
}

export const partCall = (upload: string, content: string | Blob): Call => ({
  method: 'POST',
  path: `/uploads/${upload}/parts`,
  form: { file: { field: 'data', name: 'part', bytes: new Blob([content]) } },
});

export function newPart(world: World, upload: string, content: string): Promise<string> {
  return createObject(world, 'a part of an upload', partCall(upload, content));
}

/** Lines of a batch's input, each a small chat. */
export async function batchLines(world: World, count: number, content = 'Say hello.'): Promise<string> {
  const model = await world.chatModel();
  const line = (index: number): string =>
    JSON.stringify({
      custom_id: `line-${index}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content }] },
    });
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

export const batchBody = (input_file_id: string): Readonly<Record<string, unknown>> => ({
  input_file_id,
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
});

export async function newBatch(world: World, lines: string, fields: object = {}): Promise<string> {
  const input = await newFile(world, lines, 'batch', 'conformance.jsonl');
  const body = { ...batchBody(input), ...fields };
  return createObject(world, 'a batch', { method: 'POST', path: '/batches', body });
}

/** A batch of two lines that checks share: created once, and awaited where its end matters. */
export const sharedBatch = (world: World): Promise<string> =>
  world.createOnce('a batch', async () =>
    newBatch(world, await batchLines(world, 2), { metadata: { conformance: world.runId } }),
  );

export function videoBody(world: World, prompt = 'A red boat at sunset'): Readonly<Record<string, unknown>> {
  const { video } = world.settings.models;
  return { prompt, ...(video !== undefined && { model: video }), seconds: '4', size: '720x1280' };
}

/** A video that checks share: created once. */
export const sharedVideo = (world: World): Promise<string> =>
  world.createOnce('a video', () =>
    createObject(world, 'a video', { method: 'POST', path: '/videos', body: videoBody(world) }),
  );

/** The shared video after it has completed; throws a `Skip` after the timeout. */
export const completedVideo = (world: World): Promise<string> =>
  world.createOnce('a completed video', async () => {
    const id = await sharedVideo(world);
    const answer = await pollUntil(world, `/videos/${id}`, ({ json }) => hasEnded(textAt(json, 'status')));
    if (textAt(answer.json, 'status') !== 'completed') {
      throw new Skip(
        `it needs a completed video, and this one is ${textAt(answer.json, 'status') ?? 'without a status'}`,
      );
    }
    return id;
  });

const TERMINAL_STATUSES = new Set(['completed', 'failed', 'cancelled', 'expired']);
export const hasEnded = (status: string | undefined): boolean => TERMINAL_STATUSES.has(status ?? '');

/** Polls until `isDone` returns true. @throws a `Skip` after the timeout of jobs. */
export async function pollUntil(world: World, path: string, isDone: (answer: Answer) => boolean): Promise<Answer> {
  const { jobTimeoutMs } = world.settings;
  const deadline = performance.now() + jobTimeoutMs;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 1.5, 2000)) {
    const answer = await world.send({ method: 'GET', path });
    if (!isSuccess(answer) || isDone(answer)) return answer;
    if (performance.now() > deadline) throw new Skip(`${path} did not end within ${jobTimeoutMs} ms`);
    await world.pause(delayMs);
  }
}

/** A video for one check alone. */
export const newVideo = (world: World): Promise<string> =>
  createObject(world, 'a video', {
    method: 'POST',
    path: '/videos',
    body: videoBody(world, 'A lighthouse in the rain'),
  });
