import { invalidState } from '../../errors.ts';
import { submitVideo } from './create.ts';
import { videoOf } from './stored.ts';
import type { Handlers } from '../../http/implement.ts';

/**
 * POST /videos/{video_id}/remix (API: Remix video): a new job that starts from a completed video. Parameters default to those of the
 * source.
 */
export const remixVideo: Handlers['videos.remix'] = async (call, server) => {
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
    reference: () => Promise.resolve(undefined),
  });
};
