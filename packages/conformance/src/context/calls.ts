import type { EndpointId } from '@modelwire/schema';
import { contract } from '@modelwire/schema';
import type { Call } from '../exchange/call.ts';
import * as objectFactories from './create-objects.ts';
import type { RunContext } from './run-context.ts';

/** A valid request to an endpoint. */
export interface ValidCall {
  /**
   * Resolves to an existing ID for the path, or to `conversation/item` for a path with two; rejects with a `Skip` if none can
   * be created.
   */
  readonly id?: (context: RunContext) => Promise<string>;
  /** The rest of the call, given the ID. */
  readonly init?: (
    context: RunContext,
    id: string,
  ) => Promise<Omit<Call, 'method' | 'path'>> | Omit<Call, 'method' | 'path'>;
  /** `jobs` if its objects are created by one. */
  readonly phase?: 'jobs';
}

const UPLOAD_CONTENT = 'abc';

/** A valid request to every endpoint that is checked. Objects that it changes are created for it alone. */
export const validCalls: Readonly<Partial<Record<EndpointId, ValidCall>>> = {
  'chat.completions.create': {
    init: async (context) => ({ body: { model: await context.chatModel(), messages: objectFactories.helloMessages } }),
  },
  'chat.completions.list': { init: (context) => shortPage(context, objectFactories.sharedCompletion) },
  'chat.completions.retrieve': { id: objectFactories.sharedCompletion },
  'chat.completions.update': {
    id: objectFactories.sharedCompletion,
    init: (context) => ({ body: { metadata: { conformance: context.runId } } }),
  },
  'chat.completions.delete': { id: objectFactories.newCompletion },
  'chat.completions.resume': { id: objectFactories.resumableStreamId },
  'chat.completions.messages.list': { id: objectFactories.sharedCompletion },
  'completions.create': {
    init: async (context) => ({ body: { model: await context.chatModel(), prompt: 'Say hello.' } }),
  },
  'messages.create': {
    init: async (context) => ({
      headers: objectFactories.messageHeaders,
      body: { model: await context.chatModel(), max_tokens: 256, messages: objectFactories.helloMessages },
    }),
  },
  'messages.count_tokens': {
    init: async (context) => ({
      headers: objectFactories.messageHeaders,
      body: { model: await context.chatModel(), messages: objectFactories.helloMessages },
    }),
  },
  'responses.create': {
    init: async (context) => ({ body: { model: await context.chatModel(), input: 'Say hello.' } }),
  },
  'responses.retrieve': { id: objectFactories.sharedResponse },
  'responses.delete': { id: (context) => objectFactories.newResponse(context) },
  'responses.cancel': {
    id: (context) =>
      objectFactories.newResponse(context, { background: true, input: 'Tell me at length about rivers.' }),
  },
  'responses.input_items.list': { id: objectFactories.sharedResponse, init: () => ({ query: [['limit', '2']] }) },
  'responses.input_tokens.count': {
    init: async (context) => ({ body: { model: await context.chatModel(), input: 'Say hello.' } }),
  },
  'responses.compact': {
    init: async (context) => ({ body: { model: await context.chatModel(), input: objectFactories.conversationTurns } }),
  },
  'conversations.create': { init: (context) => ({ body: { metadata: { conformance: context.runId } } }) },
  'conversations.retrieve': { id: objectFactories.sharedConversation },
  'conversations.update': {
    id: objectFactories.sharedConversation,
    init: (context) => ({ body: { metadata: { conformance: context.runId } } }),
  },
  'conversations.delete': { id: (context) => objectFactories.newConversation(context) },
  'conversations.items.create': {
    id: (context) => objectFactories.newConversation(context),
    init: () => ({ body: { items: objectFactories.conversationTurns } }),
  },
  'conversations.items.list': { id: objectFactories.sharedConversation, init: () => ({ query: [['limit', '2']] }) },
  'conversations.items.retrieve': {
    id: async (context) =>
      objectFactories.conversationWithItem(context, await objectFactories.sharedConversation(context)),
  },
  'conversations.items.delete': {
    id: async (context) =>
      objectFactories.conversationWithItem(context, await objectFactories.newConversation(context)),
  },
  'embeddings.create': {
    init: async (context) => ({
      body: { model: await objectFactories.embeddingModel(context), input: 'A quiet walk by the river.' },
    }),
  },
  'moderations.create': {
    init: ({ settings: { models } }) => ({
      body: {
        input: 'A quiet walk by the river.',
        ...(models.moderation !== undefined && { model: models.moderation }),
      },
    }),
  },
  'batches.create': {
    init: async (context) => ({
      body: objectFactories.batchBody(
        await objectFactories.newFile(context, await objectFactories.batchLines(context, 1), 'batch', 'one.jsonl'),
      ),
    }),
  },
  'batches.list': { init: (context) => shortPage(context, objectFactories.sharedBatch) },
  'batches.retrieve': { id: objectFactories.sharedBatch },
  'batches.cancel': { id: (context) => longBatch(context) },
  'uploads.create': { init: () => ({ body: objectFactories.uploadBody(UPLOAD_CONTENT.length) }) },
  'uploads.parts.create': {
    id: (context) => objectFactories.newUpload(context, UPLOAD_CONTENT.length),
    init: () => ({ form: { file: { field: 'data', name: 'part', bytes: new Blob([UPLOAD_CONTENT]) } } }),
  },
  'uploads.complete': {
    id: (context) => objectFactories.newUpload(context, UPLOAD_CONTENT.length),
    init: async (context, id) => ({ body: { part_ids: [await objectFactories.newPart(context, id, UPLOAD_CONTENT)] } }),
  },
  'uploads.cancel': { id: (context) => objectFactories.newUpload(context, UPLOAD_CONTENT.length) },
  'files.create': {
    init: () => {
      const { form } = objectFactories.fileCall(objectFactories.FILE_TEXT, 'user_data');
      return form ? { form } : {};
    },
  },
  'files.list': { init: (context) => shortPage(context, objectFactories.sharedFile) },
  'files.retrieve': { id: objectFactories.sharedFile },
  'files.delete': { id: (context) => objectFactories.newFile(context, 'to be deleted') },
  'files.content': { id: objectFactories.sharedFile },
  'videos.create': { init: (context) => ({ body: objectFactories.videoBody(context, 'A green hill at dawn') }) },
  'videos.list': { init: (context) => shortPage(context, objectFactories.sharedVideo) },
  'videos.retrieve': { id: objectFactories.sharedVideo },
  'videos.delete': { id: objectFactories.newVideo },
  'videos.content': { id: objectFactories.completedVideo, phase: 'jobs' },
  'videos.remix': {
    id: objectFactories.completedVideo,
    init: () => ({ body: { prompt: 'The same at night' } }),
    phase: 'jobs',
  },
  'videos.extend': {
    init: async (context) => ({
      body: { video: { id: await objectFactories.completedVideo(context) }, prompt: 'The night falls', seconds: '4' },
    }),
    phase: 'jobs',
  },
  'models.list': {},
  'models.retrieve': { id: (context) => context.chatModel() },
  'capabilities.retrieve': { id: (context) => context.chatModel() },
  'usage.completions': { init: () => ({ query: [['start_time', String(Math.floor(Date.now() / 1000) - 86_400)]] }) },
};

/** A short page of a list that contains items, if possible. */
async function shortPage(
  context: RunContext,
  createItem: (context: RunContext) => Promise<string>,
): Promise<Omit<Call, 'method' | 'path'>> {
  await createItem(context).catch(() => undefined);
  return { query: [['limit', '2']] };
}

/** Enough lines that a server is still running them when it is cancelled. */
async function longBatch(context: RunContext): Promise<string> {
  return objectFactories.newBatch(
    context,
    await objectFactories.batchLines(context, 300, 'Tell me at length about rivers.'),
  );
}

/** The path with its IDs. Two IDs are separated by a slash; a single one may contain slashes, as those of models do. */
export function resolvePath(endpoint: EndpointId, id: string): string {
  const { path } = contract[endpoint].route;
  const ids = (path.match(/\{/g)?.length === 2 ? id.split('/') : [id]).values();
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(ids.next().value ?? ''));
}

export const hasPathId = (endpoint: EndpointId): boolean => contract[endpoint].route.path.includes('{');

/** A valid call to the endpoint, with existing objects. */
export async function validCall(context: RunContext, endpoint: EndpointId): Promise<Call> {
  const { id: createId, init } = validCalls[endpoint] ?? {};
  const id = createId ? await createId(context) : unknownId(context, endpoint);
  return { method: contract[endpoint].route.method, path: resolvePath(endpoint, id), ...(await init?.(context, id)) };
}

const ID_PREFIXES: Readonly<Record<string, string>> = {
  chat: 'chatcmpl-',
  batches: 'batch_',
  uploads: 'upload_',
  files: 'file-',
  videos: 'video_',
  responses: 'resp_',
  conversations: 'conv_',
};

/** An unknown ID in the usual form of its kind. */
export const unknownId = (context: RunContext, endpoint: EndpointId): string =>
  `${ID_PREFIXES[endpoint.split('.')[0] ?? ''] ?? ''}${context.runId}${endpoint.startsWith('conversations.items') ? `/msg_${context.runId}` : ''}`;
