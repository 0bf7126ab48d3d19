import type { VideoRecord } from '@modelwire/ports';
import type { Video, VideoRemixParams } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState, notFound, unsupported } from '../../errors.ts';
import { sendContent } from '../../http/content/send-content.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { objectInPath } from '../../http/object-in-path.ts';
import type { JsonReply } from '../../http/reply.ts';
import { hasExpired } from '../../media/files/file-object.ts';
import { blobDeletionDelayMs, projectStores } from '../../media/files/storage.ts';
import { createVideo, submitVideo } from './create.ts';

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
    const { video, prompt } = call.body;
    const source = await findVideo(call, server, video.id);
    if (!source) throw notFound('video', video.id, 'video.id');
    return remixVideo(call, server, source, { prompt });
  },

  async 'videos.remix'(call, server) {
    return remixVideo(call, server, await videoOf(call, server), call.body);
  },
};

/** A new job that starts from a completed video. Parameters default to those of the source. */
async function remixVideo(
  call: Call<unknown>,
  server: ServerContext,
  { video, work }: VideoRecord,
  { prompt, model = video.model, size = video.size, seconds = video.seconds }: VideoRemixParams,
): Promise<JsonReply<Video>> {
  if (video.status !== 'completed')
    throw invalidState(`Only a completed video can be remixed; this one is '${video.status}'.`);
  return submitVideo(call, server, {
    model,
    shapeFor: () => ({ size, seconds }),
    prompt,
    // The same seed, so that only the change of the prompt has an effect.
    seed: work.seed,
    remixedFrom: video.id,
    reference({ id, remix }) {
      if (!remix) throw unsupported('model', `The model '${id}' cannot start from a video.`);
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

async function findVideo(
  call: Pick<Call, 'principal'>,
  server: ServerContext,
  id: string,
): Promise<VideoRecord | undefined> {
  const record = await projectStores(call, server).videos.get(id);
  return record && !hasExpired(record.video, server) ? record : undefined;
}
