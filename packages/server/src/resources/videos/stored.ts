import { notFoundThrower } from '../../errors.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { hasExpired } from '../../media/files/file-object.ts';
import type { ServerContext } from '../../context.ts';
import type { VideoRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import type { Handlers } from '../../http/implement.ts';

const throwNotFound = notFoundThrower('video', 'video_id');

export const storedVideos: Pick<Handlers, 'videos.list' | 'videos.retrieve' | 'videos.delete'> = {
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
    if (!(await projectStores(call, server).videos.delete(id, blobDeletionDelayMs))) throwNotFound(id);
    server.runningJobs.abort(id);
    return { status: 200, body: { id, object: 'video.deleted', deleted: true } };
  },
};

/** @throws a 404 if it does not exist, has expired, or belongs to another project; the error does not reveal which. */
export async function videoOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<VideoRecord> {
  const id = call.params['video_id'] ?? '';
  const record = await projectStores(call, server).videos.get(id);
  return record && !hasExpired(record.video, server) ? record : throwNotFound(id);
}
