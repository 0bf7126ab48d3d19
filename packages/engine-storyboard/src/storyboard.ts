import { createSemaphore } from '@modelwire/adapter-kit';
import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob, VideoSource } from '@modelwire/ports';
import { resolveOptions } from './options.ts';
import type { StoryboardOptions } from './options.ts';
import { renderInProcess } from './render-process.ts';
import { decodeCheckpoint } from './checkpoint.ts';

export const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'] as const;
export const lengths = ['4', '8', '12'] as const;

/** Share of saving the files in the progress, in percent. */
const savingPercent = 2;
const maxPixels = 1792 * 1792;
const maxSeconds = 60;

/**
 * A video engine that renders the words of the prompt as animated title cards: no model, no download, the same frames for the same prompt,
 * seed, size and length. A remix keeps the look of its first source, and shows the source's prompt before its own.
 */
export function createStoryboardEngine(options: StoryboardOptions = {}): VideoEngine {
  const settings = resolveOptions(options);
  const slots = createSemaphore(settings.concurrency);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  async function render(job: VideoJob, context: VideoContext): Promise<void> {
    const { width, height, seconds } = assertSupported(job);
    const signal = AbortSignal.any([context.signal, closing.signal]);
    await slots.run(async () => {
      const chain = chainOf(job);
      const work = {
        prompts: chain.map(({ prompt }) => prompt),
        seed: chain[0]?.seed ?? job.seed,
        width,
        height,
        seconds,
        framesPerSecond: settings.framesPerSecond,
        reference: job.inputReference?.bytes ?? referenceOf(job.source),
        maxReferencePixels: settings.maxReferencePixels,
      };
      await renderInProcess(work, signal, async (report) => {
        if (report.type === 'progress') {
          context.progress(Math.floor((report.frames / report.of) * (100 - savingPercent)));
        } else if (report.type === 'checkpoint') {
          await context.saveCheckpoint(report.text);
        } else if (report.type === 'variant') {
          await context.save(report.variant, report.mediaType, chunksOf(report.bytes));
        }
      });
      context.progress(100);
    }, signal);
  }

  return {
    name: 'storyboard',
    concurrency: settings.concurrency,
    models: () =>
      settings.models.map((id) => ({
        id,
        created: settings.created,
        owned_by: 'modelwire',
        sizes,
        seconds: lengths,
        inputReference: true,
      })),
    render(job, context) {
      const done = render(job, context);
      const settled = done.catch(() => undefined);
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return done;
    },
    async close() {
      closing.abort(new Error('the engine is closed'));
      await Promise.all(running);
    },
  };
}

/** The prompts of the source and its remixes, in order. */
function chainOf(job: VideoJob): readonly { readonly prompt: string; readonly seed: number }[] {
  const chain: { readonly prompt: string; readonly seed: number }[] = [job];
  for (let source = job.source; source; source = source.source) chain.unshift(source);
  return chain;
}

/** The reference image of the source or of its earlier sources. */
function referenceOf(source: VideoSource | undefined): Uint8Array | undefined {
  for (let from = source; from; from = from.source) {
    const bytes = decodeCheckpoint(from.checkpoint);
    if (bytes) return bytes;
  }
  return undefined;
}

function assertSupported({ width, height, seconds }: VideoJob): Pick<VideoJob, 'width' | 'height' | 'seconds'> {
  const even = [width, height].every((side) => Number.isSafeInteger(side) && side >= 64 && side % 16 === 0);
  if (!even || width * height > maxPixels) {
    throw new VideoError('invalid_size', 'Unsupported size: width and height must be multiples of 16 pixels.');
  }
  if (!(seconds > 0 && seconds <= maxSeconds)) {
    throw new VideoError(
      'invalid_seconds',
      `Unsupported length: it must be more than 0 and at most ${String(maxSeconds)} seconds.`,
    );
  }
  return { width, height, seconds };
}

const chunkBytes = 256 * 1024;

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
}
