import type { Video, VideoDeleted, VideoList, VideoListParams } from '@modelwire/schema/types';
import { notFoundThrower } from '../../errors.ts';
import { projectStores, blobDeletionDelayMs } from '../../media/files/storage.ts';
import { hasExpired } from '../../media/files/file-object.ts';
import type { ServerContext } from '../../context.ts';
import type { VideoRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { JsonReply } from '../../http/reply.ts';
import { listReply, pageQuery } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';

const throwNotFound = notFoundThrower('video', 'video_id');

/** GET /videos */
export async function listVideos(
  call: Call<undefined, VideoListParams>,
  server: ServerContext,
): Promise<JsonReply<VideoList>> {
  const query = pageQuery(call.query, 'desc');
  const page = await projectStores(call, server).videos.list({ ...query, now: nowInSeconds(server.clock) });
  return listReply(page, query.after);
}

/** GET /videos/{video_id} */
export async function retrieveVideo(call: Call, server: ServerContext): Promise<JsonReply<Video>> {
  return { status: 200, body: (await videoOf(call, server)).video };
}

/** DELETE /videos/{video_id}: also aborts its rendering. */
export async function deleteVideo(call: Call, server: ServerContext): Promise<JsonReply<VideoDeleted>> {
  const { id } = (await videoOf(call, server)).video;
  if (!(await projectStores(call, server).videos.delete(id, blobDeletionDelayMs))) throwNotFound(id);
  server.runningJobs.abort(id);
  return { status: 200, body: { id, object: 'video.deleted', deleted: true } };
}

/** @throws a 404 if it does not exist, has expired, or belongs to another project; the error does not reveal which. */
export async function videoOf(call: Pick<Call, 'params' | 'principal'>, server: ServerContext): Promise<VideoRecord> {
  const id = call.params['video_id'] ?? '';
  const record = await projectStores(call, server).videos.get(id);
  return record && !hasExpired(record.video, server) ? record : throwNotFound(id);
}
