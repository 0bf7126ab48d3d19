export interface StoryboardOptions {
  /** Id of the model. Default `storyboard`. */
  readonly model?: string;
  /** Other ids under which the same engine answers, for clients that insist on a name. Default none. */
  readonly aliases?: readonly string[];
  /** Videos rendered at once, each in a process of its own. Default 1. */
  readonly concurrency?: number;
  /** Frames a second, 24 or 30. Default 24. */
  readonly framesPerSecond?: 24 | 30;
  /**
   * Whether a program `ffmpeg` with libx264 encodes. `false`: never, so that the same job gives the same bytes everywhere. `auto`: where
   * the PATH has one. Else its path. Default `false`.
   */
  readonly ffmpeg?: 'auto' | false | (string & {});
  /** Pixels that an input image may have. Default 25 million; each takes 4 bytes while the video is made. */
  readonly maxReferencePixels?: number;
  /** Unix seconds that the models say they were made at. Default 1 January 2025. */
  readonly created?: number;
}

export interface StoryboardSettings {
  readonly models: readonly string[];
  readonly concurrency: number;
  readonly framesPerSecond: number;
  readonly ffmpeg: 'auto' | false | (string & {});
  readonly maxReferencePixels: number;
  readonly created: number;
}

/** The options with their defaults; wrong ones are a `TypeError`. */
export function settingsOf(options: StoryboardOptions): StoryboardSettings {
  const settings: StoryboardSettings = {
    models: [...new Set([options.model ?? 'storyboard', ...(options.aliases ?? [])])],
    concurrency: options.concurrency ?? 1,
    framesPerSecond: options.framesPerSecond ?? 24,
    ffmpeg: options.ffmpeg ?? false,
    maxReferencePixels: options.maxReferencePixels ?? 25_000_000,
    created: options.created ?? 1_735_689_600,
  };
  const { models, concurrency, framesPerSecond, ffmpeg, maxReferencePixels } = settings;
  if (models.some((id) => id === '')) throw new TypeError("'model' and 'aliases' are not empty");
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError("'concurrency' is a whole number from 1 up");
  if (framesPerSecond !== 24 && framesPerSecond !== 30) throw new TypeError("'framesPerSecond' is 24 or 30");
  if (ffmpeg === '') throw new TypeError("'ffmpeg' is 'auto', false or a path");
  if (!Number.isSafeInteger(maxReferencePixels) || maxReferencePixels < 1) {
    throw new TypeError("'maxReferencePixels' is a whole number from 1 up");
  }
  return Object.freeze(settings);
}
