import type { EndpointId } from '@modelwire/schema';
import { contract } from '@modelwire/schema';
import type { Call } from '../exchange/call.ts';
import * as makers from './makers.ts';
import type { World } from './world.ts';

/** How an endpoint is asked properly. */
export interface ProperCall {
  /** The id that the path takes, of a thing that is there; rejects with a `Skip` where none can be made. */
  readonly id?: (world: World) => Promise<string>;
  /** The rest of the call, given the id. */
  readonly init?: (world: World, id: string) => Promise<Omit<Call, 'method' | 'path'>> | Omit<Call, 'method' | 'path'>;
  /** Whether its things take a job to make. */
  readonly job?: boolean;
}

const UPLOADED = 'abc';

/** A proper request to every endpoint that is checked. What it changes is made for it alone. */
export const properCalls: Readonly<Partial<Record<EndpointId, ProperCall>>> = {
  'chat.completions.create': { init: async (world) => ({ body: { model: await world.chatModel(), messages: makers.hello } }) }, // prettier-ignore
  'chat.completions.list': { init: (world) => page(world, makers.sharedCompletion) },
  'chat.completions.retrieve': { id: makers.sharedCompletion },
  'chat.completions.update': { id: makers.sharedCompletion, init: (world) => ({ body: { metadata: { conformance: world.run } } }) }, // prettier-ignore
  'chat.completions.delete': { id: makers.newCompletion },
  'chat.completions.messages.list': { id: makers.sharedCompletion },
  'responses.create': { init: async (world) => ({ body: { model: await world.chatModel(), input: 'Hello' } }) },
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
  'batches.list': { init: (world) => page(world, makers.sharedBatch) },
  'batches.retrieve': { id: makers.sharedBatch },
  'batches.cancel': { id: (world) => manyLines(world) },
  'uploads.create': { init: () => ({ body: makers.uploadBody(UPLOADED.length) }) },
  'uploads.parts.create': {
    id: (world) => makers.newUpload(world, UPLOADED.length),
    init: () => ({ form: { file: { field: 'data', name: 'part', bytes: new Blob([UPLOADED]) } } }),
  },
  'uploads.complete': {
    id: (world) => makers.newUpload(world, UPLOADED.length),
    init: async (world, id) => ({ body: { part_ids: [await makers.newPart(world, id, UPLOADED)] } }),
  },
  'uploads.cancel': { id: (world) => makers.newUpload(world, UPLOADED.length) },
  'files.create': {
    init: () => {
      const { form } = makers.fileCall(makers.FILE_TEXT, 'user_data');
      return form ? { form } : {};
    },
  },
  'files.list': { init: (world) => page(world, makers.sharedFile) },
  'files.retrieve': { id: makers.sharedFile },
  'files.delete': { id: (world) => makers.newFile(world, 'to be deleted') },
  'files.content': { id: makers.sharedFile },
  'videos.create': { init: (world) => ({ body: makers.videoBody(world, 'A green hill at dawn') }) },
  'videos.list': { init: (world) => page(world, makers.sharedVideo) },
  'videos.retrieve': { id: makers.sharedVideo },
  'videos.delete': { id: makers.newVideo },
  'videos.content': { id: makers.completedVideo, job: true },
  'videos.remix': { id: makers.completedVideo, init: () => ({ body: { prompt: 'The same at night' } }), job: true },
  'models.list': {},
  'models.retrieve': { id: (world) => world.chatModel() },
  'capabilities.retrieve': { id: (world) => world.chatModel() },
  'usage.completions': { init: () => ({ query: [['start_time', String(Math.floor(Date.now() / 1000) - 86_400)]] }) },
};

/** A short page of a list that has something in it, where that can be had. */
async function page(world: World, some: (world: World) => Promise<string>): Promise<Omit<Call, 'method' | 'path'>> {
  await some(world).catch(() => undefined);
  return { query: [['limit', '2']] };
}

/** Lines enough that a server is still at them when it is told to stop. */
async function manyLines(world: World): Promise<string> {
  return makers.newBatch(world, await makers.batchLines(world, 300, 'Tell me at length about rivers.'));
}

export const pathOf = (endpoint: EndpointId, id: string): string =>
  contract[endpoint].route.path.replace(/\{\w+\}/, () => encodeURIComponent(id));

export const takesId = (endpoint: EndpointId): boolean => contract[endpoint].route.path.includes('{');

/** A proper call to the endpoint, with things that are there. */
export async function properCall(world: World, endpoint: EndpointId): Promise<Call> {
  const { id: find, init } = properCalls[endpoint] ?? {};
  const id = find ? await find(world) : madeUpId(world, endpoint);
  return { method: contract[endpoint].route.method, path: pathOf(endpoint, id), ...(await init?.(world, id)) };
}

const PREFIXES: Readonly<Record<string, string>> = { chat: 'chatcmpl-', batches: 'batch_', uploads: 'upload_', files: 'file-', videos: 'video_' }; // prettier-ignore

/** An id that nothing has, in the form that ids of the kind mostly have. */
export const madeUpId = (world: World, endpoint: EndpointId): string =>
  `${PREFIXES[endpoint.split('.')[0] ?? ''] ?? ''}${world.run}`;
