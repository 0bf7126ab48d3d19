import type { ReasoningEffort } from '@modelwire/schema/types';

/** Options of `createSimulator`. */
export interface SimulatorOptions {
  /** The models to serve, at least one. Default: one simulator with the ID `simulator`. */
  readonly models?: readonly SimulatorModel[];
  /** Tokens per second of each choice, above 0. Default: unlimited. */
  readonly tokensPerSecond?: number;
  /** Milliseconds before the first token, 0 or more. Default 0. */
  readonly firstTokenDelayMs?: number;
  /** Changes `system_fingerprint`, to distinguish configurations. Default: the empty string. */
  readonly fingerprint?: string;
}

/** A model of the simulator: one that replies to the prompt, or with `reply` one that always returns the same text. */
export interface SimulatorModel {
  readonly id: string;
  /** Unix seconds, as `GET /v1/models` shows it. Default: 1 January 2026. */
  readonly created?: number;
  /** As `GET /v1/models` shows it. Default `modelwire`. */
  readonly owned_by?: string;
  /** A fixed text that answers every request. Nothing is sampled, so the model refuses the parameters of sampling. */
  readonly reply?: string;
  /** Values of `reasoning_effort`, and the default. Default: all six, `none`. Not with `reply`. */
  readonly efforts?: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort };
  /** The number of pieces in which the fixed text is streamed, at least 1. Default: one for each token. Only with `reply`. */
  readonly chunks?: number;
}

/** Options with every default filled in. */
export interface ResolvedOptions extends Required<SimulatorOptions> {
  readonly models: readonly ResolvedModel[];
}

export interface ResolvedModel extends Required<Pick<SimulatorModel, 'id' | 'created' | 'owned_by'>> {
  readonly reply: string | undefined;
  readonly chunks: number | undefined;
  readonly efforts: SimulatorModel['efforts'];
}

const firstOf2026 = 1_767_225_600;
const effortNames: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];

/** @throws TypeError that names the invalid option and describes the problem. */
export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
  const { tokensPerSecond = Infinity, firstTokenDelayMs = 0, fingerprint = '' } = options;
  const { models = [{ id: 'simulator' }] } = options;
  checkNames('createSimulator', options, ['models', 'tokensPerSecond', 'firstTokenDelayMs', 'fingerprint']);
  check(typeof tokensPerSecond === 'number' && tokensPerSecond > 0, 'tokensPerSecond must be a number greater than 0');
  check(
    typeof firstTokenDelayMs === 'number' && firstTokenDelayMs >= 0,
    'firstTokenDelayMs must be a number of at least 0',
  );
  // The longest timeout of a timer is 2^31 - 1 milliseconds.
  check(firstTokenDelayMs < 2 ** 31, 'firstTokenDelayMs must be less than 24 days');
  check(1000 / tokensPerSecond < 2 ** 31, 'tokensPerSecond is too low: a token would take 24 days or more');
  check(typeof fingerprint === 'string', 'fingerprint must be a string');
  check(Array.isArray(models) && models.length > 0, 'models must be a non-empty array of models');
  const resolved = models.map(resolveModel);
  const ids = resolved.map(({ id }) => id);
  for (const [index, id] of ids.entries()) check(ids.indexOf(id) === index, `models has the ID '${id}' twice`);
  return { models: resolved, tokensPerSecond, firstTokenDelayMs, fingerprint };
}

function resolveModel(model: SimulatorModel, index: number): ResolvedModel {
  const at = `models[${index}]`;
  check(typeof model === 'object' && (model as unknown) !== null, `${at} must be an object`);
  checkNames(at, model, ['id', 'created', 'owned_by', 'reply', 'chunks', 'efforts']);
  const { id, created = firstOf2026, owned_by = 'modelwire', reply, chunks, efforts } = model;
  check(isText(id), `${at}.id must be a non-empty string`);
  check(Number.isSafeInteger(created) && created >= 0, `${at}.created must be an integer in Unix seconds`);
  check(typeof owned_by === 'string', `${at}.owned_by must be a string`);
  check(reply === undefined || isText(reply), `${at}.reply must be a non-empty string`);
  const isCount = chunks === undefined || (Number.isSafeInteger(chunks) && chunks >= 1);
  check(isCount, `${at}.chunks must be an integer of at least 1`);
  check(chunks === undefined || reply !== undefined, `${at}.chunks needs ${at}.reply`);
  check(efforts === undefined || reply === undefined, `${at}.efforts is not possible with a fixed reply`);
  check(
    efforts === undefined || areEfforts(efforts),
    `${at}.efforts must be { values, default }, both of ${effortNames.join(', ')}`,
  );
  const all = { values: effortNames, default: 'none' } as const;
  return { id, created, owned_by, reply, chunks, efforts: reply === undefined ? (efforts ?? all) : undefined };
}

function areEfforts({ values, default: preset }: NonNullable<SimulatorModel['efforts']>): boolean {
  return Array.isArray(values) && values.every((name) => effortNames.includes(name as ReasoningEffort)) && values.includes(preset); // prettier-ignore
}

function checkNames(where: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given)) {
    check(names.includes(name), `${where} has no option '${name}'; known options: ${names.join(', ')}`);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message);
}
