import type { VideoRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState, notFound, unsupported } from '../../errors.ts';
import { sendContent } from '../../http/content/send-content.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { objectInPath } from '../../http/object-in-path.ts';
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

  /** A new job that starts from a completed video. Parameters default to those of the source. */
  async 'videos.remix'(call, server) {
    const { video, work } = await videoOf(call, server);
    if (video.status !== 'completed')
      throw invalidState(`Only a completed video can be remixed; this one is '${video.status}'.`);
    const { prompt, model = video.model, size = video.size, seconds = video.seconds } = call.body;
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
  },
};

const fileExtensions: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** @throws a 404, also for a video that has expired. */
async function videoOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<VideoRecord> {
  const record = await projectStores(call, server).videos.get(videoInPath.id(call));
  return record && !hasExpired(record.video, server) ? record : videoInPath.throwNotFound(call);
}
