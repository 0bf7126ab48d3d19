import type { VideoContent, VideoModel, VideoRecord } from '@modelwire/ports';
import type { Video } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidState, notFound, quoteAll, unsupported, unsupportedValue } from '../../errors.ts';
import { sendContent } from '../../http/content/send-content.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { objectInPath } from '../../http/object-in-path.ts';
import type { JsonReply } from '../../http/reply.ts';
import { hasExpired } from '../../media/files/file-object.ts';
import { blobDeletionDelayMs, projectStores } from '../../media/files/storage.ts';
import { readVideoMetadata } from '../../media/video-metadata.ts';
import { createVideo, randomSeed, submitVideo } from './create.ts';

const videoInPath = objectInPath('video', 'video_id');

export const videos: HandlersOf<'videos'> = {
  'videos.create': createVideo,

  async 'videos.list'(call, server) {
    const query = pageQuery(call.query, 'desc');
    const page = await projectStores(call, server).videos.list({ ...query, now: nowInSeconds(server.clock) });
    return listReply(page, query.after);
  },

  async 'videos.retrieve'(call, server) {
    return { status: 200, body: (await videoOf(call, server)).video };
  },

  /** Also aborts its rendering. */
  async 'videos.delete'(call, server) {
    const { id } = (await videoOf(call, server)).video;
    if (!(await projectStores(call, server).videos.delete(id, blobDeletionDelayMs))) videoInPath.throwNotFound(call);
    server.runningJobs.abort(id);
    return { status: 200, body: { id, object: 'video.deleted', deleted: true } };
  },

  /** A variant, or the requested range of it. */
  async 'videos.content'(call, server) {
    const { variant = 'video' } = call.query;
    const { video, contents } = await videoOf(call, server);
    if (video.status !== 'completed') throw invalidState(`The video is '${video.status}', not completed.`);
    const content = contents[variant];
    if (!content) throw notFound(`${variant} of a video`, video.id, 'variant');
    const filename = `${video.id}${variant === 'video' ? '' : `-${variant}`}.${fileExtensions[content.mediaType] ?? 'bin'}`;
    return sendContent(call, server, { ...content, filename, etag: `"${video.id}-${variant}"` });
  },

  async 'videos.edit'(call, server) {
    return deriveFromBody(call, server, { ...call.body, operation: 'remix' });
  },

  async 'videos.extend'(call, server) {
    return deriveFromBody(call, server, { ...call.body, operation: 'extend' });
  },

  async 'videos.remix'(call, server) {
    return deriveVideo(call, server, await videoOf(call, server), { ...call.body, operation: 'remix' });
  },
};

/** What a model can do with a completed video. */
const operations = {
  remix: { done: 'remixed', cannot: 'cannot start from a video', withUpload: 'starts from an uploaded video' },
  extend: { done: 'extended', cannot: 'cannot continue a video', withUpload: 'continues an uploaded video' },
} as const;

interface SourceRequest {
  readonly operation: keyof typeof operations;
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly size?: string | undefined;
  readonly seconds?: string | undefined;
}

/** A new job that starts from a completed video. Parameters default to those of the source. */
async function deriveVideo(
  call: Call<unknown>,
  server: ServerContext,
  { video, work }: VideoRecord,
  request: SourceRequest,
): Promise<JsonReply<Video>> {
  const { operation, prompt, model = video.model } = request;
  if (video.status !== 'completed')
    throw invalidState(`Only a completed video can be ${operations[operation].done}; this one is '${video.status}'.`);
  const seconds = Number(video.seconds);
  return submitVideo(call, server, {
    model,
    shapeFor: (engineModel) => shapeFrom({ size: video.size, seconds }, request, engineModel),
    prompt,
    // The same seed, so that only the change of the prompt has an effect.
    seed: work.seed,
    source: { id: video.id, seconds, isContinued: operation === 'extend', upload: undefined },
    reference(engineModel) {
      if (!engineModel[operation])
        throw unsupported('model', `The model '${engineModel.id}' ${operations[operation].cannot}.`);
      return Promise.resolve(undefined);
    },
  });
}

/**
 * What the request does not give is that of the source, with the shortest length of the model that the source fits into.
 *
 * @throws a 400 that names `video` if the model has no such size or length.
 */
function shapeFrom(
  source: { readonly size: string; readonly seconds: number },
  { size, seconds }: Pick<SourceRequest, 'size' | 'seconds'>,
  model: VideoModel,
): Pick<Video, 'size' | 'seconds'> {
  const refuse = (what: string, supported: readonly string[]): never => {
    const message = `Unsupported value: 'video' has ${what}; the model '${model.id}' supports ${quoteAll(supported)}.`;
    throw unsupportedValue('video', message);
  };
  if (size === undefined && !model.sizes.includes(source.size)) refuse(`the size '${source.size}'`, model.sizes);
  const shortest = model.seconds.toSorted(byNumber).find((one) => Number(one) >= source.seconds);
  return {
    size: size ?? source.size,
    seconds: seconds ?? shortest ?? refuse(`${source.seconds} seconds`, model.seconds),
  };
}

const byNumber = (left: string, right: string): number => Number(left) - Number(right);

const fileExtensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** @throws a 404, also for a video that has expired. */
async function videoOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<VideoRecord> {
  return (await findVideo(call, server, videoInPath.id(call))) ?? videoInPath.throwNotFound(call);
}

/** A new job that starts from the video that the body names, or from the uploaded one. */
async function deriveFromBody(
  call: Call<{ readonly video?: { readonly id: string } | undefined }>,
  server: ServerContext,
  request: SourceRequest,
): Promise<JsonReply<Video>> {
  const upload = call.files.get('video');
  const { video } = call.body;
  if (video && upload) throw invalid('video', "Invalid 'video': give a file or a reference, not both.");
  if (upload) return deriveFromUpload(call, server, { mediaType: 'video/mp4', content: [upload.segment] }, request);
  if (!video) throw invalid('video', "Missing required parameter: 'video'.", 'missing_required_parameter');
  const record = await findVideo(call, server, video.id);
  if (!record) throw notFound('video', video.id, 'video.id');
  return deriveVideo(call, server, record, request);
}

/** Of the first model that can do it. */
async function deriveFromUpload(
  call: Call<unknown>,
  server: ServerContext,
  upload: VideoContent,
  request: SourceRequest,
): Promise<JsonReply<Video>> {
  const { operation, prompt } = request;
  const model = server.models.video.all().find((candidate) => candidate[operation] && candidate.videoInput);
  if (!model) throw unsupported('video', `No model of this server ${operations[operation].withUpload}.`);
  const metadata = await readVideoMetadata(upload.content, server);
  if (!metadata) throw invalid('video', "Invalid 'video': the file is not an MP4 video of at most 9,999 seconds.");
  const { width, height } = metadata;
  const seconds = Math.max(1, Math.round(metadata.seconds));
  return submitVideo(call, server, {
    model: model.id,
    shapeFor: (engineModel) => shapeFrom({ size: `${width}x${height}`, seconds }, request, engineModel),
    prompt,
    seed: randomSeed(),
    source: { id: null, seconds, isContinued: operation === 'extend', upload },
    reference: () => Promise.resolve(undefined),
  });
}

async function findVideo(
  call: Pick<Call, 'principal'>,
  server: ServerContext,
  id: string,
): Promise<VideoRecord | undefined> {
  const record = await projectStores(call, server).videos.get(id);
  return record && !hasExpired(record.video, server) ? record : undefined;
}
