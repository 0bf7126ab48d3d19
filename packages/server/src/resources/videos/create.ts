import type { Video, VideoCreateFields } from '@modelwire/schema/types';
import { unsupported } from '../../errors.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import { projectStores } from '../../media/files/storage.ts';
import { randomId } from '../../ids.ts';
import { requestTrace } from '../../http/observe-job-run.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { VideoWork } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { assertSupportedShape, resolveVideoModel } from './video-model.ts';
import { inputReference } from './input-reference.ts';

/** POST /videos: stores the video and its job; a worker renders it. */
export async function createVideo(call: Call<VideoCreateFields>, server: ServerContext): Promise<Reply> {
  const { prompt, size, seconds } = call.body;
  const { model } = resolveVideoModel(call.body.model, server);
  const policy = await server.policies?.get(call.principal);
  if (policy) assertModelAllowed(policy, [call.body.model ?? model.id, model.id]);
  const shape = assertSupportedShape(model, {
    size: size ?? model.sizes[0] ?? '',
    seconds: seconds ?? model.seconds[0] ?? '',
  });
  if (!model.inputReference && (call.body.input_reference ?? call.files.get('input_reference'))) {
    throw unsupported('input_reference', `The model '${model.id}' does not accept an input image.`);
  }
  const reference = await inputReference(call, server);
  return submitVideo(call, server, model.id, {
    video: { ...newVideo(), model: call.body.model ?? model.id, ...shape, prompt },
    work: { keyId: call.principal.keyId, seed: randomSeed(), inputReference: reference },
  });
}

/**
 * Charges the budgets, stores the video with its job and wakes the worker.
 *
 * @param model ID of the model itself, not of an alias.
 */
export async function submitVideo(
  call: Pick<Call, 'principal' | 'logRecord' | 'observation' | 'responseHeaders'>,
  server: ServerContext,
  model: string,
  { video, work }: { readonly video: Video; readonly work: VideoWork },
): Promise<Reply> {
  call.logRecord.model = video.model;
  const cost = server.prices?.costOfVideo(model, Number(video.seconds));
  const policy = await server.policies?.get(call.principal);
  const reserved = policy && (await server.budgets?.reserveCost(call, policy, model, cost));
  try {
    await projectStores(call, server).videos.create({ video, work: { ...work, ...requestTrace(call) } });
    reserved?.charge();
  } finally {
    reserved?.release();
  }
  call.logRecord.video = video.id;
  server.meter?.count(call.principal, video.model, undefined, cost ?? 0);
  server.wakeWorker();
  return { status: 200, body: video };
}

/** A new video (API: Video object). */
export function newVideo() {
  return {
    id: randomId('video_'),
    object: 'video' as const,
    status: 'queued' as const,
    progress: 0,
    created_at: nowInSeconds(),
    completed_at: null,
    expires_at: null,
    error: null,
    remixed_from_video_id: null,
  };
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
