import type { ReasoningEffort } from '@modelwire/schema/types';

/** What `createSimulator` takes. */
export interface SimulatorOptions {
  /** The models to serve, at least one. Default: one simulator with the id `simulator`. */
  readonly models?: readonly SimulatorModel[];
  /** Tokens per second of each choice, above 0. Default: as fast as it computes. */
  readonly tokensPerSecond?: number;
  /** Milliseconds before the first token, 0 or more. Default 0. */
  readonly firstTokenDelayMs?: number;
  /** Goes into `system_fingerprint`, so that two differently named set-ups can be told apart. Default: the empty string. */
  readonly fingerprint?: string;
}

/** A model of the simulator: one that talks, or with `reply` one that always says the same. */
export interface SimulatorModel {
  readonly id: string;
  /** Unix seconds, as `GET /v1/models` shows it. Default: 1 January 2026. */
  readonly created?: number;
  /** As `GET /v1/models` shows it. Default `modelwire`. */
  readonly owned_by?: string;
  /** A fixed text that answers every request: nothing is sampled, and the model says so by refusing what bends sampling. */
  readonly reply?: string;
  /** Values of `reasoning_effort`, and the one of requests that name none. Default: all six, `none`. Not with `reply`. */
  readonly efforts?: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort };
  /** In how many pieces the fixed text is said, 1 to its number of tokens. Default: one for each token. Only with `reply`. */
  readonly chunks?: number;
}

/** Options with nothing left open. */
export interface FullOptions {
  readonly models: readonly FullModel[];
  readonly tokensPerSecond: number;
  readonly firstTokenDelayMs: number;
  readonly fingerprint: string;
}

export interface FullModel {
  readonly id: string;
  readonly created: number;
  readonly owned_by: string;
  readonly reply: string | undefined;
  readonly chunks: number | undefined;
  readonly efforts: SimulatorModel['efforts'];
}

const firstOf2026 = 1_767_225_600;

/** The one door for options. Throws a TypeError that names what is wrong. */
export function fullOptions(options: SimulatorOptions): FullOptions {
  const {
    models = [{ id: 'simulator' }],
    tokensPerSecond = Infinity,
    firstTokenDelayMs = 0,
    fingerprint = '',
  } = options;
  known('createSimulator', options, ['models', 'tokensPerSecond', 'firstTokenDelayMs', 'fingerprint']);
  check(typeof tokensPerSecond === 'number' && tokensPerSecond > 0, 'tokensPerSecond must be a number above 0');
  check(
    isFiniteNumber(firstTokenDelayMs) && firstTokenDelayMs >= 0,
    'firstTokenDelayMs must be a number of at least 0',
  );
  // What a timer can hold: 2^31 - 1 milliseconds.
  check(firstTokenDelayMs < 2 ** 31 && 1000 / tokensPerSecond < 2 ** 31, 'a delay must be shorter than 24 days');
  check(typeof fingerprint === 'string', 'fingerprint must be a string');
  check(Array.isArray(models) && models.length > 0, 'models must be an array of at least one model');
  const full = models.map(fullModel);
  const ids = full.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  check(twice === undefined, `models has the id '${twice ?? ''}' twice`);
  return Object.freeze({ models: full, tokensPerSecond, firstTokenDelayMs, fingerprint });
}

function fullModel(model: SimulatorModel, index: number): FullModel {
  const at = `models[${index}]`;
  check(isObject(model), `${at} must be an object`);
  known(at, model, ['id', 'created', 'owned_by', 'reply', 'chunks', 'efforts']);
  const { id, created = firstOf2026, owned_by = 'modelwire', reply, chunks, efforts } = model;
  check(typeof id === 'string' && id !== '', `${at}.id must be a string that is not empty`);
  check(Number.isSafeInteger(created) && created >= 0, `${at}.created must be a whole number of seconds`);
  check(typeof owned_by === 'string', `${at}.owned_by must be a string`);
  check(
    reply === undefined || (typeof reply === 'string' && reply !== ''),
    `${at}.reply must be a string that is not empty`,
  );
  check(
    chunks === undefined || (Number.isSafeInteger(chunks) && chunks >= 1),
    `${at}.chunks must be a whole number of at least 1`,
  );
  check(chunks === undefined || reply !== undefined, `${at}.chunks needs ${at}.reply`);
  check(efforts === undefined || reply === undefined, `${at}.efforts is nothing for a fixed reply`);
  check(
    efforts === undefined || areEfforts(efforts),
    `${at}.efforts must be { values, default }, both of ${effortNames.join(', ')}`,
  );
  const own = efforts ?? (reply === undefined ? { values: effortNames, default: 'none' as const } : undefined);
  return Object.freeze({ id, created, owned_by, reply, chunks, efforts: own });
}

const effortNames: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

function areEfforts({ values, default: preset }: NonNullable<SimulatorModel['efforts']>): boolean {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((one) => effortNames.includes(one as ReasoningEffort)) &&
    values.includes(preset)
  );
}

function known(where: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given))
    check(names.includes(name), `${where} knows no '${name}'; it takes ${names.join(', ')}`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isFiniteNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message);
}
