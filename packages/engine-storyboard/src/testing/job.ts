import type { VideoContext, VideoEngine, VideoJob, VideoSource } from '@modelwire/ports';

/** A job of a small size, which takes about a second. */
export function jobOf(init: Partial<VideoJob> & Pick<VideoJob, 'prompt'>): VideoJob {
  return {
    id: 'video_1',
    model: 'storyboard',
    width: 144,
    height: 256,
    seconds: 0.5,
    extensionSeconds: undefined,
    seed: 7,
    uploadedSource: undefined,
    inputReference: undefined,
    source: undefined,
    ...init,
  };
}

export function sourceOf(job: VideoJob, checkpoint?: string): VideoSource {
  return {
    id: job.id,
    model: job.model,
    prompt: job.prompt,
    width: job.width,
    height: job.height,
    seconds: job.seconds,
    extensionSeconds: job.extensionSeconds,
    seed: job.seed,
    source: job.source,
    checkpoint,
    read: () => {
      throw new Error('the source is rendered again instead of being read');
    },
  };
}

export interface Rendered {
  readonly files: ReadonlyMap<string, { readonly mediaType: string; readonly bytes: Uint8Array }>;
  readonly video: Uint8Array;
  readonly progress: readonly number[];
  readonly checkpoints: readonly string[];
}

/** Renders the job and returns its files. */
export async function rendered(
  engine: VideoEngine,
  job: VideoJob,
  context: Partial<VideoContext> = {},
): Promise<Rendered> {
  const files = new Map<string, { mediaType: string; bytes: Uint8Array }>();
  const progress: number[] = [];
  const checkpoints: string[] = [];
  await engine.render(job, {
    signal: new AbortController().signal,
    checkpoint: undefined,
    progress: (percent) => progress.push(percent),
    saveCheckpoint: (text) => {
      checkpoints.push(text);
      return Promise.resolve();
    },
    save: async (variant, mediaType, bytes) => {
      files.set(variant, { mediaType, bytes: Buffer.concat(await Array.fromAsync(bytes)) });
    },
    ...context,
  });
  return { files, video: files.get('video')?.bytes ?? new Uint8Array(), progress, checkpoints };
}
