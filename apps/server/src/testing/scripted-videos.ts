import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob } from '@modelwire/ports';

export interface ScriptedVideos extends VideoEngine {
  /** All calls in order. */
  readonly calls: { readonly job: VideoJob; readonly context: VideoContext; aborted: boolean }[];
}

/** A video engine controlled by the prompt: `wait`, `fail`, `crash`, `nothing`; any other prompt renders a video. */
export function scriptedVideos(models: readonly string[] = ['scripted']): ScriptedVideos {
  const calls: ScriptedVideos['calls'] = [];
  return {
    name: 'scripted',
    calls,
    concurrency: 2,
    models: () =>
      models.map((id) => ({
        id,
        created: 1_700_000_000,
        owned_by: 'tests',
        sizes: ['720x1280', '1280x720'],
        seconds: ['4', '8'],
        inputReference: id !== 'blind',
        remix: true,
        extend: true,
        videoInput: true,
      })),
    async render(job, context) {
      const call = { job, context, aborted: false };
      calls.push(call);
      context.progress(10);
      if (job.prompt === 'fail') throw new VideoError('too_dark', 'It is too dark to see.');
      if (job.prompt === 'crash') throw new Error('a secret of the inside');
      if (job.prompt === 'wait') {
        await new Promise<void>((_, reject) => {
          context.signal.addEventListener('abort', () => {
            call.aborted = true;
            reject(context.signal.reason as Error);
          });
        });
      }
      context.progress(60);
      if (job.prompt === 'nothing') return;
      await context.save('thumbnail', 'image/webp', bytesOf('thumbnail'));
      await context.save('video', 'video/mp4', bytesOf(`first try of ${job.prompt}`));
      await context.save('video', 'video/mp4', bytesOf(`video of ${job.prompt}, seed ${job.seed}`));
    },
  };
}

function bytesOf(text: string): AsyncIterable<Uint8Array> {
  return new Blob([text]).stream();
}
