import { Blob } from 'node:buffer';
import { createRunningOperations, createSemaphore } from '@modelwire/adapter-kit';
import { VideoError } from '@modelwire/ports';
import type { VideoContext, VideoEngine, VideoJob, VideoSource } from '@modelwire/ports';
import { resolveOptions } from './options.ts';
import type { StoryboardOptions } from './options.ts';
import type { Scene } from './protocol.ts';
import { checkpointPrefix } from './protocol.ts';
import { renderInProcess } from './render-process.ts';

const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024'];
const lengths = ['4', '8', '12'];

/** Share of saving the files in the progress, in percent. */
const savingPercent = 2;
const maxPixels = 1792 * 1792;
const maxSeconds = 120;

/**
 * A video engine that renders the words of the prompt as animated title cards: no model, no download, the same frames for the same prompt,
 * seed, size and length. A remix keeps the look of its first source, and shows the source's prompt before its own. An extension shows its
 * source, then its own prompt.
 */
export function createStoryboardEngine(options: StoryboardOptions = {}): VideoEngine {
  const { model, concurrency, framesPerSecond, maxReferencePixels, created } = resolveOptions(options);
  const slots = createSemaphore(concurrency);
  const closing = new AbortController();
  const running = createRunningOperations();

  async function render(job: VideoJob, context: VideoContext): Promise<void> {
    assertSupported(job);
    const signal = AbortSignal.any([context.signal, closing.signal]);
    await slots.run(async () => {
      const work = {
        scenes: scenesOf(job),
        seed: chainOf(job)[0]?.seed ?? job.seed,
        width: job.width,
        height: job.height,
        framesPerSecond,
        reference: job.inputReference?.bytes ?? referenceOf(job.source),
        maxReferencePixels,
      };
      await renderInProcess(work, signal, async (report) => {
        if (report.type === 'progress') {
          context.progress(Math.floor((report.frames / report.of) * (100 - savingPercent)));
        } else if (report.type === 'checkpoint') {
          await context.saveCheckpoint(report.text);
        } else if (report.type === 'variant') {
          await context.save(report.variant, report.mediaType, new Blob([report.bytes]).stream());
        }
      });
      context.progress(100);
    }, signal);
  }

  return {
    name: 'storyboard',
    concurrency,
    models: () => [
      {
        ...{ id: model, created, owned_by: 'modelwire', sizes, seconds: lengths, maxSeconds },
        ...{ inputReference: true, remix: true, extend: true, videoInput: false },
      },
    ],
    render: (job, context) => running.track(render(job, context)),
    close() {
      closing.abort(new Error('the engine is closed'));
      return running.ended();
    },
  };
}

/** The scenes of a video: an extension has those of its source, and one of its own. */
function scenesOf(video: VideoJob | VideoSource): readonly Scene[] {
  const { source, seconds, extensionSeconds } = video;
  const prompts = chainOf(video).map(({ prompt }) => prompt);
  if (!source || extensionSeconds === undefined) return [{ prompts, seconds, isExtension: false }];
  return [...scenesOf(source), { prompts, seconds: extensionSeconds, isExtension: true }];
}

/** The source and what was made of it, in order. */
function chainOf(job: VideoJob | VideoSource): readonly Pick<VideoJob, 'prompt' | 'seed'>[] {
  const chain: Pick<VideoJob, 'prompt' | 'seed'>[] = [job];
  for (let source = job.source; source; source = source.source) chain.unshift(source);
  return chain;
}

/** The reference image of the source or of its earlier sources. */
function referenceOf(source: VideoSource | undefined): Uint8Array | undefined {
  for (let from = source; from; from = from.source) {
    // Other engines save other checkpoints.
    if (from.checkpoint?.startsWith(checkpointPrefix))
      return Buffer.from(from.checkpoint.slice(checkpointPrefix.length), 'base64');
  }
  return undefined;
}

function assertSupported({ width, height, seconds }: VideoJob): void {
  const even = [width, height].every((side) => Number.isSafeInteger(side) && side >= 64 && side % 16 === 0);
  if (!even || width * height > maxPixels) {
    throw new VideoError('invalid_size', 'Unsupported size: width and height must be multiples of 16 pixels.');
  }
  if (!(seconds > 0 && seconds <= maxSeconds)) {
    throw new VideoError(
      'invalid_seconds',
      `Unsupported length: it must be more than 0 and at most ${maxSeconds} seconds.`,
    );
  }
}
