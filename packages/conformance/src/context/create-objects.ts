import { isSuccess } from '../exchange/response.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import type { Call } from '../exchange/call.ts';
import { parseEvents } from '../exchange/events.ts';
import { listAt, textAt } from '../exchange/value.ts';
import type { RunContext } from './run-context.ts';
import { Skip } from '../verdict.ts';

/** Sends a request that creates an object and returns its ID; throws a `Skip` on failure, which another check reports. */
export async function createObject(context: RunContext, description: string, call: Call): Promise<string> {
  const response = await context.send(call);
  return createdId(response, description);
}

export function createdId(response: CompleteResponse, description: string): string {
  const id = textAt(response.json, 'id');
  if (!isSuccess(response) || id === undefined) {
    throw new Skip(
      `it needs ${description}, and none could be created: ${response.sent.method} ${response.sent.path} returned ${response.status}`,
    );
  }
  return id;
}

/** What SDKs of the Messages API send with every request. Stored messages would not be deleted. */
export const messageHeaders = { 'anthropic-version': '2023-06-01', 'x-modelwire-store': 'false' };

export const helloMessages = [{ role: 'user', content: 'Say hello.' }] as const;

export async function newCompletion(context: RunContext, fields: object = {}): Promise<string> {
  const body = {
    model: await context.chatModel(),
    messages: helloMessages,
    store: true,
    metadata: { conformance: context.runId },
    ...fields,
  };
  const id = await createObject(context, 'a stored completion', { method: 'POST', path: '/chat/completions', body });
  return id;
}

/** A completion that the server does not store. */
export async function unstoredCompletion(context: RunContext): Promise<string> {
  const body = { model: await context.chatModel(), messages: helloMessages };
  return createdId(await context.send({ method: 'POST', path: '/chat/completions', body }), 'a completion');
}

/** A stored completion that checks share and do not change. */
export const sharedCompletion = (context: RunContext): Promise<string> =>
  context.createOnce('a stored completion', () => newCompletion(context));

/** A stream that can be read again. */
export const resumableStream = (context: RunContext): Promise<CompleteResponse> =>
  context.sendOnce('a resumable stream', async () => {
    const fields = { stream: true, stream_options: { resumable: true } };
    const body = { model: await context.chatModel(), messages: helloMessages, ...fields };
    return { method: 'POST', path: '/chat/completions', body };
  });

/** The ID of its completion. */
export async function resumableStreamId(context: RunContext): Promise<string> {
  const [first] = parseEvents(await resumableStream(context)).chunks;
  const id = textAt(first?.json, 'id');
  if (id === undefined) throw new Skip('it needs a resumable stream');
  return id;
}

/** Three messages, as items of an input. */
export const conversationTurns = [
  { role: 'user', content: 'Which river flows through Vienna?' },
  { role: 'assistant', content: 'The Danube.' },
  { role: 'user', content: [{ type: 'input_text', text: 'And through Cologne?' }] },
] as const;

export async function newResponse(context: RunContext, fields: object = {}): Promise<string> {
  const body = { model: await context.chatModel(), input: conversationTurns, ...fields };
  return createObject(context, 'a stored response', { method: 'POST', path: '/responses', body });
}

/** A stored response with three input items that checks share and do not change. */
export const sharedResponse = (context: RunContext): Promise<string> =>
  context.createOnce('a stored response', () => newResponse(context));

export function newConversation(context: RunContext, fields: object = {}): Promise<string> {
  const body = { items: conversationTurns, metadata: { conformance: context.runId }, ...fields };
  return createObject(context, 'a conversation', { method: 'POST', path: '/conversations', body });
}

/** A conversation with three items that checks share and do not change. */
export const sharedConversation = (context: RunContext): Promise<string> =>
  context.createOnce('a conversation', () => newConversation(context));

/** A conversation and its first item, as `conversation/item`. */
export async function conversationWithItem(context: RunContext, conversation: string): Promise<string> {
  const response = await context.send({ method: 'GET', path: `/conversations/${conversation}/items` });
  const item = textAt(response.json, 'data', -1, 'id');
  if (item === undefined)
    throw new Skip(`it needs an item of a conversation, and listing them returned ${response.status}`);
  return `${conversation}/${item}`;
}

export function newFile(
  context: RunContext,
  content: string,
  purpose = 'user_data',
  name = 'conformance.txt',
): Promise<string> {
  return createObject(context, 'a file', fileCall(content, purpose, name));
}

export const fileCall = (content: string, purpose: string, name = 'conformance.txt'): Call => ({
  method: 'POST',
  path: '/files',
  form: { fields: { purpose }, file: { field: 'file', name, bytes: new Blob([content]) } },
});

/** The embedding model that is configured, or the first listed one whose ID looks like an embedding model. */
export const embeddingModel = (context: RunContext): Promise<string> =>
  context.createOnce('an embedding model', async () => {
    const { embedding } = context.settings.models;
    if (embedding !== undefined) return embedding;
    const response = await context.sendOnce('the models', () => ({ method: 'GET', path: '/models' }));
    const ids = listAt(response.json, 'data').map((model) => textAt(model, 'id') ?? '');
    const found = ids.find((id) => /embed/i.test(id));
    if (found === undefined) throw new Skip('no embedding model is listed: name one with models.embedding');
    return found;
  });

export const FILE_TEXT = 'Rivers run to the sea, and the sea is not full.';

/** A file that checks share and do not change. */
export const sharedFile = (context: RunContext): Promise<string> =>
  context.createOnce('a file', () => newFile(context, FILE_TEXT));

export const uploadBody = (bytes: number): Readonly<Record<string, unknown>> => ({
  filename: 'conformance.txt',
  bytes,
  mime_type: 'text/plain',
  purpose: 'user_data',
});

export function newUpload(context: RunContext, bytes: number): Promise<string> {
  return createObject(context, 'an upload', { method: 'POST', path: '/uploads', body: uploadBody(bytes) });
}

export const partCall = (upload: string, content: string | Blob): Call => ({
  method: 'POST',
  path: `/uploads/${upload}/parts`,
  form: { file: { field: 'data', name: 'part', bytes: new Blob([content]) } },
});

export function newPart(context: RunContext, upload: string, content: string): Promise<string> {
  return createObject(context, 'a part of an upload', partCall(upload, content));
}

/** Lines of a batch's input, each a small chat. */
export async function batchLines(context: RunContext, count: number, content = 'Say hello.'): Promise<string> {
  const model = await context.chatModel();
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

export async function newBatch(context: RunContext, lines: string, fields: object = {}): Promise<string> {
  const input = await newFile(context, lines, 'batch', 'conformance.jsonl');
  const body = { ...batchBody(input), ...fields };
  return createObject(context, 'a batch', { method: 'POST', path: '/batches', body });
}

/** A batch of two lines that checks share: created once, and awaited where its end matters. */
export const sharedBatch = (context: RunContext): Promise<string> =>
  context.createOnce('a batch', async () =>
    newBatch(context, await batchLines(context, 2), { metadata: { conformance: context.runId } }),
  );

export function videoBody(context: RunContext, prompt = 'A red boat at sunset'): Readonly<Record<string, unknown>> {
  const { video } = context.settings.models;
  return { prompt, ...(video !== undefined && { model: video }), seconds: '4', size: '720x1280' };
}

/** A video that checks share: created once. */
export const sharedVideo = (context: RunContext): Promise<string> =>
  context.createOnce('a video', () =>
    createObject(context, 'a video', { method: 'POST', path: '/videos', body: videoBody(context) }),
  );

/** The shared video after it has completed; throws a `Skip` after the timeout. */
export const completedVideo = (context: RunContext): Promise<string> =>
  context.createOnce('a completed video', async () => {
    const id = await sharedVideo(context);
    const response = await pollUntil(context, `/videos/${id}`, ({ json }) => hasEnded(textAt(json, 'status')));
    if (textAt(response.json, 'status') !== 'completed') {
      throw new Skip(
        `it needs a completed video, and this one is ${textAt(response.json, 'status') ?? 'without a status'}`,
      );
    }
    return id;
  });

const TERMINAL_STATUSES = new Set(['completed', 'failed', 'cancelled', 'expired']);
export const hasEnded = (status: string | undefined): boolean => TERMINAL_STATUSES.has(status ?? '');

/** Polls until `isDone` returns true. @throws a `Skip` after the timeout of jobs. */
export async function pollUntil(
  context: RunContext,
  path: string,
  isDone: (response: CompleteResponse) => boolean,
): Promise<CompleteResponse> {
  const { jobTimeoutMs } = context.settings;
  const deadline = performance.now() + jobTimeoutMs;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 1.5, 2000)) {
    const response = await context.send({ method: 'GET', path });
    if (!isSuccess(response) || isDone(response)) return response;
    if (performance.now() > deadline) throw new Skip(`${path} did not end within ${jobTimeoutMs} ms`);
    await context.pause(delayMs);
  }
}

/** A video for one check alone. */
export const newVideo = (context: RunContext): Promise<string> =>
  createObject(context, 'a video', {
    method: 'POST',
    path: '/videos',
    body: videoBody(context, 'A lighthouse in the rain'),
  });
