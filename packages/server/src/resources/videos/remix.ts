import type { VideoRemixParams } from '@modelwire/schema/types';
import { invalidState } from '../../errors.ts';
import { assertModelAllowed } from '../../limits/policies.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { assertSupportedShape, resolveVideoModel } from './video-model.ts';
import { submitVideo, newVideo } from './create.ts';
import { videoOf } from './stored.ts';

/**
 * POST /videos/{video_id}/remix (API: Remix video): a new job that starts from a completed video. Parameters default to those of the
 * source.
 */
export async function remixVideo(call: Call<VideoRemixParams>, server: ServerContext): Promise<Reply> {
  const source = await videoOf(call, server);
  const { id, status } = source.video;
  if (status !== 'completed') throw invalidState(`Only a completed video can be remixed; this one is '${status}'.`);
  const {
    prompt,
    model: requestedModel = source.video.model,
    size = source.video.size,
    seconds = source.video.seconds,
  } = call.body;
  const { model } = resolveVideoModel(requestedModel, server);
  const policy = await server.policies?.get(call.principal);
  if (policy) assertModelAllowed(policy, [requestedModel, model.id]);
  const shape = assertSupportedShape(model, { size, seconds });
  return submitVideo(call, server, model.id, {
    video: { ...newVideo(), model: requestedModel, ...shape, prompt, remixed_from_video_id: id },
    // The same seed, so that only the change of the prompt has an effect.
    work: { keyId: call.principal.keyId, seed: source.work.seed, inputReference: undefined },
  });
}
