import type { EndpointId } from '@modelwire/schema';
import { contract } from '@modelwire/schema';
import type { Call } from '../exchange/call.ts';
import * as makers from './makers.ts';
import type { World } from './world.ts';

/** A valid request to an endpoint. */
export interface ValidCall {
  /**
   * Resolves to an existing ID for the path, or to `conversation/item` for a path with two; rejects with a `Skip` if none can
   * be created.
   */
  readonly id?: (world: World) => Promise<string>;
  /** The rest of the call, given the ID. */
  readonly init?: (world: World, id: string) => Promise<Omit<Call, 'method' | 'path'>> | Omit<Call, 'method' | 'path'>;
  /** Whether its objects are created by a job. */
  readonly job?: boolean;
}

const UPLOAD_CONTENT = 'abc';

/** A valid request to every endpoint that is checked. Objects that it changes are created for it alone. */
export const validCalls: Readonly<Partial<Record<EndpointId, ValidCall>>> = {
  'chat.completions.create': { init: async (world) => ({ body: { model: await world.chatModel(), messages: makers.helloMessages } }) }, // prettier-ignore
  'chat.completions.list': { init: (world) => shortPage(world, makers.sharedCompletion) },
  'chat.completions.retrieve': { id: makers.sharedCompletion },
  'chat.completions.update': { id: makers.sharedCompletion, init: (world) => ({ body: { metadata: { conformance: world.runId } } }) }, // prettier-ignore
  'chat.completions.delete': { id: makers.newCompletion },
  'chat.completions.messages.list': { id: makers.sharedCompletion },
  'completions.create': { init: async (world) => ({ body: { model: await world.chatModel(), prompt: 'Say hello.' } }) },
  'responses.create': { init: async (world) => ({ body: { model: await world.chatModel(), input: 'Say hello.' } }) },
  'responses.retrieve': { id: makers.sharedResponse },
  'responses.delete': { id: (world) => makers.newResponse(world) },
  'responses.cancel': { id: (world) => makers.newResponse(world, { background: true, input: 'Tell me at length about rivers.' }) }, // prettier-ignore
  'responses.input_items.list': { id: makers.sharedResponse, init: () => ({ query: [['limit', '2']] }) },
  'responses.input_tokens.count': { init: async (world) => ({ body: { model: await world.chatModel(), input: 'Say hello.' } }) }, // prettier-ignore
  'responses.compact': {
    init: async (world) => ({ body: { model: await world.chatModel(), input: makers.conversationTurns } }),
  },
  'conversations.create': { init: (world) => ({ body: { metadata: { conformance: world.runId } } }) },
  'conversations.retrieve': { id: makers.sharedConversation },
  'conversations.update': { id: makers.sharedConversation, init: (world) => ({ body: { metadata: { conformance: world.runId } } }) }, // prettier-ignore
  'conversations.delete': { id: (world) => makers.newConversation(world) },
  'conversations.items.create': { id: (world) => makers.newConversation(world), init: () => ({ body: { items: makers.conversationTurns } }) }, // prettier-ignore
  'conversations.items.list': { id: makers.sharedConversation, init: () => ({ query: [['limit', '2']] }) },
  'conversations.items.retrieve': {
    id: async (world) => makers.conversationWithItem(world, await makers.sharedConversation(world)),
  },
  'conversations.items.delete': {
    id: async (world) => makers.conversationWithItem(world, await makers.newConversation(world)),
  },
  'embeddings.create': { init: async (world) => ({ body: { model: await makers.embeddingModel(world), input: 'A quiet walk by the river.' } }) }, // prettier-ignore
  'moderations.create': {
    init: ({ settings: { models } }) => ({
      body: {
        input: 'A quiet walk by the river.',
        ...(models.moderation !== undefined && { model: models.moderation }),
      },
    }),
  },
  'batches.create': {
    init: async (world) => ({
      body: makers.batchBody(await makers.newFile(world, await makers.batchLines(world, 1), 'batch', 'one.jsonl')),
    }),
  },
  'batches.list': { init: (world) => shortPage(world, makers.sharedBatch) },
  'batches.retrieve': { id: makers.sharedBatch },
  'batches.cancel': { id: (world) => longBatch(world) },
  'uploads.create': { init: () => ({ body: makers.uploadBody(UPLOAD_CONTENT.length) }) },
  'uploads.parts.create': {
    id: (world) => makers.newUpload(world, UPLOAD_CONTENT.length),
    init: () => ({ form: { file: { field: 'data', name: 'part', bytes: new Blob([UPLOAD_CONTENT]) } } }),
  },
  'uploads.complete': {
    id: (world) => makers.newUpload(world, UPLOAD_CONTENT.length),
    init: async (world, id) => ({ body: { part_ids: [await makers.newPart(world, id, UPLOAD_CONTENT)] } }),
  },
  'uploads.cancel': { id: (world) => makers.newUpload(world, UPLOAD_CONTENT.length) },
  'files.create': {
    init: () => {
      const { form } = makers.fileCall(makers.FILE_TEXT, 'user_data');
      return form ? { form } : {};
    },
  },
  'files.list': { init: (world) => shortPage(world, makers.sharedFile) },
  'files.retrieve': { id: makers.sharedFile },
  'files.delete': { id: (world) => makers.newFile(world, 'to be deleted') },
  'files.content': { id: makers.sharedFile },
  'videos.create': { init: (world) => ({ body: makers.videoBody(world, 'A green hill at dawn') }) },
  'videos.list': { init: (world) => shortPage(world, makers.sharedVideo) },
  'videos.retrieve': { id: makers.sharedVideo },
  'videos.delete': { id: makers.newVideo },
  'videos.content': { id: makers.completedVideo, job: true },
  'videos.remix': { id: makers.completedVideo, init: () => ({ body: { prompt: 'The same at night' } }), job: true },
  'models.list': {},
  'models.retrieve': { id: (world) => world.chatModel() },
  'capabilities.retrieve': { id: (world) => world.chatModel() },
  'usage.completions': { init: () => ({ query: [['start_time', String(Math.floor(Date.now() / 1000) - 86_400)]] }) },
};

/** A short page of a list that contains items, if possible. */
async function shortPage(
  world: World,
  createItem: (world: World) => Promise<string>,
): Promise<Omit<Call, 'method' | 'path'>> {
  await createItem(world).catch(() => undefined);
  return { query: [['limit', '2']] };
}

/** Enough lines that a server is still running them when it is cancelled. */
async function longBatch(world: World): Promise<string> {
  return makers.newBatch(world, await makers.batchLines(world, 300, 'Tell me at length about rivers.'));
}

/** The path with its IDs. Two IDs are separated by a slash; a single one may contain slashes, as those of models do. */
export function resolvePath(endpoint: EndpointId, id: string): string {
  const { path } = contract[endpoint].route;
  const ids = (path.match(/\{/g)?.length === 2 ? id.split('/') : [id]).values();
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(ids.next().value ?? ''));
}

export const hasPathId = (endpoint: EndpointId): boolean => contract[endpoint].route.path.includes('{');

/** A valid call to the endpoint, with existing objects. */
export async function validCall(world: World, endpoint: EndpointId): Promise<Call> {
  const { id: createId, init } = validCalls[endpoint] ?? {};
  const id = createId ? await createId(world) : unknownId(world, endpoint);
  return { method: contract[endpoint].route.method, path: resolvePath(endpoint, id), ...(await init?.(world, id)) };
}

const ID_PREFIXES: Readonly<Record<string, string>> = { chat: 'chatcmpl-', batches: 'batch_', uploads: 'upload_', files: 'file-', videos: 'video_', responses: 'resp_', conversations: 'conv_' }; // prettier-ignore

/** An unknown ID in the usual form of its kind. */
export const unknownId = (world: World, endpoint: EndpointId): string =>
  `${ID_PREFIXES[endpoint.split('.')[0] ?? ''] ?? ''}${world.runId}${endpoint.startsWith('conversations.items') ? `/msg_${world.runId}` : ''}`;
