import { checkOption } from '@modelwire/adapter-kit';

export interface StoryboardOptions {
  /** Id of the model. Default `storyboard`. */
  readonly model?: string;
  /** Videos rendered concurrently, each in its own process. Default 1. */
  readonly concurrency?: number;
  /** Frames a second, 24 or 30. Default 24. */
  readonly framesPerSecond?: 24 | 30;
  /** Maximum pixels of an input image. Default 25 million; each takes 4 bytes while the video is rendered. */
  readonly maxReferencePixels?: number;
  /** `created` of the models, Unix seconds. Default 1 January 2025. */
  readonly created?: number;
}

/** The options with their defaults. @throws TypeError for a value out of range. */
export function resolveOptions(options: StoryboardOptions): Required<StoryboardOptions> {
  const {
    model = 'storyboard',
    concurrency = 1,
    framesPerSecond = 24,
    maxReferencePixels = 25_000_000,
    created = 1_735_689_600,
  } = options;
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
  checkOption(model !== '', "'model' must not be empty");
  checkOption(isCount(concurrency), "'concurrency' must be an integer of at least 1");
  checkOption([24, 30].includes(framesPerSecond), "'framesPerSecond' must be 24 or 30");
  checkOption(isCount(maxReferencePixels), "'maxReferencePixels' must be an integer of at least 1");
  return { model, concurrency, framesPerSecond, maxReferencePixels, created };
}
