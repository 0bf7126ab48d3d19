/** Options of `createImageModeration`. */
export interface ImageModerationOptions {
  /** Served model IDs. Default: `omni-moderation-latest` and `omni-moderation-2024-09-26`. */
  readonly models?: readonly string[];
  /** Names the engine in logs, and is the `owned_by` of its models. Default: `image-moderation`. */
  readonly name?: string;
  /** The score from which `sexual` is flagged. Default 0.5. */
  readonly threshold?: number;
  /** Weight of the class "sexy" (swimwear, underwear, posing) in `sexual`, 0 to 1. Default 0.4. */
  readonly suggestive?: number;
  /** Frames of an animation to examine, evenly distributed. Default 4. */
  readonly frames?: number;
  /** Maximum width times height of an image. Default 50 million. */
  readonly maxPixels?: number;
  /** Maximum waiting images; more are a 503. Default 64. */
  readonly maxWaiting?: number;
  /** Maximum milliseconds for one image; then it is a 504. Default 30,000. */
  readonly timeoutMs?: number;
}

/** The options with all defaults. */
export type Settings = Required<ImageModerationOptions>;

const defaults: Settings = {
  models: ['omni-moderation-latest', 'omni-moderation-2024-09-26'],
  name: 'image-moderation',
  threshold: 0.5,
  suggestive: 0.4,
  frames: 4,
  maxPixels: 50_000_000,
  maxWaiting: 64,
  timeoutMs: 30_000,
};

/** Validates the options and applies the defaults. @throws {TypeError} naming the invalid option. */
export function settingsOf(options: ImageModerationOptions): Settings {
  for (const name of Object.keys(options)) if (!(name in defaults)) fail(name, 'is not a known option');
  const settings: Settings = { ...defaults, ...options };
  const { models, name, threshold, suggestive } = settings;
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  if (!Array.isArray(models) || models.length === 0 || !models.every(isText))
    fail('models', 'must be a non-empty array of IDs');
  if (!isText(name)) fail('name', 'must be a non-empty string');
  if (!(threshold > 0 && threshold <= 1)) fail('threshold', 'must be greater than 0 and at most 1');
  if (!(suggestive >= 0 && suggestive <= 1)) fail('suggestive', 'must be from 0 to 1');
  for (const option of ['frames', 'maxPixels', 'maxWaiting', 'timeoutMs'] as const) {
    if (!Number.isSafeInteger(settings[option]) || settings[option] < 1)
      fail(option, 'must be an integer of at least 1');
  }
  return Object.freeze(settings);
}

function fail(option: string, why: string): never {
  throw new TypeError(`createImageModeration: '${option}' ${why}.`);
}
