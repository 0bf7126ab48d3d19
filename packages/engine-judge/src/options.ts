import type { ModerationCategory } from '@modelwire/schema/types';
import type { ChatEngine } from '@modelwire/ports';
import { categories } from './categories.ts';
import { presetNames, presets } from './presets.ts';
import type { Preset, PresetName } from './presets.ts';

/** A format in which a model is asked. */
export type JudgePreset = 'general' | PresetName;

/** Options of `createJudge`. */
export interface JudgeOptions {
  /** The engine of the model. */
  readonly engine: ChatEngine;
  /** The model's ID in the engine. */
  readonly model: string;
  /**
   * How the model is asked: a guard model in its own format, and only for the categories that it judges; `general` for any other model.
   * Default: by the model's ID, else `general`.
   */
  readonly preset?: JudgePreset;
  /** Served model IDs. Default: `omni-moderation-latest` and `omni-moderation-2024-09-26`. */
  readonly models?: readonly string[];
  /** Names the engine in logs, and is the `owned_by` of its models. Default: `judge`. */
  readonly name?: string;
  /** The score from which a category is flagged, 0 to 1. Default 0.5 for each. */
  readonly thresholds?: Readonly<Partial<Record<ModerationCategory, number>>>;
  /** Milliseconds for one question, including retries. Default 60,000. */
  readonly timeoutMs?: number;
  /** Concurrent questions, over all requests; more wait. Default 4. */
  readonly concurrency?: number;
  /** Retries after a reply that is not a verdict. Default 2. */
  readonly retries?: number;
  /** Maximum tokens of one reply, if the model has a limit; reasoning counts. Default 4,096. */
  readonly maxTokens?: number;
}

/** The options with all defaults. */
export interface Settings {
  readonly engine: ChatEngine;
  readonly model: string;
  /** Undefined for a model that is not a guard model. */
  readonly preset: Preset | undefined;
  readonly models: readonly string[];
  readonly name: string;
  readonly thresholds: Readonly<Record<ModerationCategory, number>>;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly retries: number;
  readonly maxTokens: number;
}

const known: ReadonlySet<string> = new Set<keyof JudgeOptions>([
  'engine',
  'model',
  'preset',
  'models',
  'name',
  'thresholds',
  'timeoutMs',
  'concurrency',
  'retries',
  'maxTokens',
]);

/** Validates the options and applies the defaults. @throws {TypeError} naming the invalid option. */
export function settingsOf(options: JudgeOptions): Settings {
  for (const name of Object.keys(options)) if (!known.has(name)) fail(name, 'is not a known option');
  const { engine, model, models = ['omni-moderation-latest', 'omni-moderation-2024-09-26'] } = options;
  if (typeof (engine as Partial<ChatEngine> | undefined)?.generate !== 'function')
    fail('engine', 'must be a chat engine');
  if (!Array.isArray(models) || models.length === 0) fail('models', 'must be a non-empty array of IDs');
  if (new Set(models).size !== models.length) fail('models', 'must not contain an ID twice');
  return Object.freeze({
    engine,
    model: text('model', model),
    preset: presetOf(options.preset, model),
    models: Object.freeze(models.map((id, index) => text(`models[${index}]`, id))),
    name: text('name', options.name ?? 'judge'),
    thresholds: thresholdsOf(options.thresholds ?? {}),
    timeoutMs: whole('timeoutMs', options.timeoutMs ?? 60_000, 1),
    concurrency: whole('concurrency', options.concurrency ?? 4, 1),
    retries: whole('retries', options.retries ?? 2, 0),
    maxTokens: whole('maxTokens', options.maxTokens ?? 4096, 1),
  });
}

function presetOf(given: JudgePreset | undefined, model: string): Preset | undefined {
  const names: readonly string[] = ['general', ...presetNames];
  if (given !== undefined && !names.includes(given)) fail('preset', `must be one of ${names.join(', ')}`);
  const name = given ?? presetNames.find((one) => presets[one].models.test(model)) ?? 'general';
  return name === 'general' ? undefined : presets[name];
}

function thresholdsOf(given: NonNullable<JudgeOptions['thresholds']>): Settings['thresholds'] {
  const names: readonly string[] = categories;
  for (const [name, value] of Object.entries<unknown>(given)) {
    if (!names.includes(name)) fail(`thresholds['${name}']`, 'is not a category');
    // Above 0: a threshold of 0 would flag everything.
    if (typeof value !== 'number' || !(value > 0 && value <= 1)) {
      fail(`thresholds['${name}']`, 'must be greater than 0 and at most 1');
    }
  }
  const halves = Object.fromEntries(categories.map((name) => [name, 0.5])) as Record<ModerationCategory, number>;
  return Object.freeze({ ...halves, ...given });
}

function text(option: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : fail(option, 'must be a non-empty string');
}

function whole(option: string, value: unknown, least: number): number {
  // The maximum delay of timers.
  const most = 2 ** 31 - 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return fail(option, `must be an integer of at least ${least}`);
}

function fail(option: string, why: string): never {
  throw new TypeError(`createJudge: '${option}' ${why}.`);
}
