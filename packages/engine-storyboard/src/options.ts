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

export interface ResolvedOptions {
  readonly models: readonly string[];
  readonly concurrency: number;
  readonly framesPerSecond: number;
  readonly maxReferencePixels: number;
  readonly created: number;
}

/** The options with their defaults. @throws TypeError for a value out of range. */
export function resolveOptions(options: StoryboardOptions): ResolvedOptions {
  const settings: ResolvedOptions = {
    models: [options.model ?? 'storyboard'],
    concurrency: options.concurrency ?? 1,
    framesPerSecond: options.framesPerSecond ?? 24,
    maxReferencePixels: options.maxReferencePixels ?? 25_000_000,
    created: options.created ?? 1_735_689_600,
  };
  const { models, concurrency, framesPerSecond, maxReferencePixels } = settings;
  if (models.some((id) => id === '')) throw new TypeError("'model' must not be empty");
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError("'concurrency' must be an integer of at least 1");
  if (framesPerSecond !== 24 && framesPerSecond !== 30) throw new TypeError("'framesPerSecond' must be 24 or 30");
  if (!Number.isSafeInteger(maxReferencePixels) || maxReferencePixels < 1) {
    throw new TypeError("'maxReferencePixels' must be an integer of at least 1");
  }
  return Object.freeze(settings);
}
