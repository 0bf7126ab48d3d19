import type { VideoContent, VideoRecord } from '@modelwire/ports';
import type { Video } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidState, notFound, unsupported } from '../../errors.ts';
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
    return deriveFromBody(call, server, { ...call.body, use: 'remix' });
  },

  async 'videos.extend'(call, server) {
    return deriveFromBody(call, server, { ...call.body, use: 'extend' });
  },

  async 'videos.remix'(call, server) {
    return deriveVideo(call, server, await videoOf(call, server), { ...call.body, use: 'remix' });
  },
};

/** What a model can do with a completed video. */
const uses = {
  remix: { done: 'remixed', cannot: 'cannot start from a video', withUpload: 'starts from an uploaded video' },
  extend: { done: 'extended', cannot: 'cannot continue a video', withUpload: 'continues an uploaded video' },
} as const;

interface Derivation {
  readonly use: keyof typeof uses;
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
  { use, prompt, model = video.model, size = video.size, seconds = video.seconds }: Derivation,
): Promise<JsonReply<Video>> {
  if (video.status !== 'completed')
    throw invalidState(`Only a completed video can be ${uses[use].done}; this one is '${video.status}'.`);
  return submitVideo(call, server, {
    model,
    shapeFor: () => ({ size, seconds }),
    prompt,
    // The same seed, so that only the change of the prompt has an effect.
    seed: work.seed,
    source: { id: video.id, seconds: Number(video.seconds), isContinued: use === 'extend', upload: undefined },
    reference(engineModel) {
      if (!engineModel[use]) throw unsupported('model', `The model '${engineModel.id}' ${uses[use].cannot}.`);
      return Promise.resolve(undefined);
    },
  });
}

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
  derivation: Derivation,
): Promise<JsonReply<Video>> {
  const upload = call.files.get('video');
  const { video } = call.body;
  if (video && upload) throw invalid('video', "Invalid 'video': give a file or a reference, not both.");
  if (upload) return deriveFromUpload(call, server, { mediaType: 'video/mp4', content: [upload.segment] }, derivation);
  if (!video) throw invalid('video', "Missing required parameter: 'video'.", 'missing_required_parameter');
  const record = await findVideo(call, server, video.id);
  if (!record) throw notFound('video', video.id, 'video.id');
  return deriveVideo(call, server, record, derivation);
}

/** Of the first model that can do it. An edit has the shortest length of the model that the upload fits into. */
async function deriveFromUpload(
  call: Call<unknown>,
  server: ServerContext,
  upload: VideoContent,
  { use, prompt, seconds }: Derivation,
): Promise<JsonReply<Video>> {
  const model = server.models.video.all().find((candidate) => candidate[use] && candidate.videoInput);
  if (!model) throw unsupported('video', `No model of this server ${uses[use].withUpload}.`);
  const metadata = await readVideoMetadata(upload.content, server);
  if (!metadata) throw invalid('video', "Invalid 'video': the file is not an MP4 video.");
  const { width, height } = metadata;
  const length = Math.max(1, Math.round(metadata.seconds));
  return submitVideo(call, server, {
    model: model.id,
    shapeFor: ({ seconds: lengths }) => ({
      size: `${width}x${height}`,
      seconds: seconds ?? lengths.toSorted(byNumber).find((one) => Number(one) >= length) ?? String(length),
    }),
    prompt,
    seed: randomSeed(),
    source: { id: null, seconds: length, isContinued: use === 'extend', upload },
    reference: () => Promise.resolve(undefined),
  });
}

const byNumber = (left: string, right: string): number => Number(left) - Number(right);

async function findVideo(
  call: Pick<Call, 'principal'>,
  server: ServerContext,
  id: string,
): Promise<VideoRecord | undefined> {
  const record = await projectStores(call, server).videos.get(id);
  return record && !hasExpired(record.video, server) ? record : undefined;
}
