import { checkOption, checkOptionNames } from '@modelwire/adapter-kit';
import type { ReasoningEffort } from '@modelwire/schema/types';

/** Options of `createSimulator`. */
export interface SimulatorOptions {
  /** The models to serve, at least one. Default: one simulator with the ID `simulator`. */
  readonly models?: readonly SimulatorModel[];
  /** Tokens per second of each choice, above 0. Default: unlimited. */
  readonly tokensPerSecond?: number;
  /** Milliseconds before the first token, 0 or more. Default 0. */
  readonly firstTokenDelayMs?: number;
}

/** A model of the simulator: one that replies to the prompt, or with `reply` one that always returns the same text. */
export interface SimulatorModel {
  readonly id: string;
  /** A fixed text that answers every request. Nothing is sampled, so the model refuses the parameters of sampling. */
  readonly reply?: string;
  /** Values of `reasoning_effort`, and the default. Default: all six, `none`. Not with `reply`. */
  readonly efforts?: { readonly values: readonly ReasoningEffort[]; readonly default: ReasoningEffort };
  /** The number of pieces in which the fixed text is streamed, at least 1. Default: one for each token. Only with `reply`. */
  readonly chunks?: number;
}

/** Options with every default filled in. */
export type ResolvedOptions = Required<SimulatorOptions>;

const effortNames: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
export const allEfforts = { values: effortNames, default: 'none' } as const;

/** @throws TypeError that names the invalid option and describes the problem. */
export function resolveOptions(options: SimulatorOptions): ResolvedOptions {
  const { models = [{ id: 'simulator' }], tokensPerSecond = Infinity, firstTokenDelayMs = 0 } = options;
  checkOptionNames('createSimulator', options, ['models', 'tokensPerSecond', 'firstTokenDelayMs']);
  checkOption(
    typeof tokensPerSecond === 'number' && tokensPerSecond > 0,
    'tokensPerSecond must be a number greater than 0',
  );
  checkOption(
    typeof firstTokenDelayMs === 'number' && firstTokenDelayMs >= 0,
    'firstTokenDelayMs must be a number of at least 0',
  );
  // The longest timeout of a timer is 2^31 - 1 milliseconds.
  checkOption(firstTokenDelayMs < 2 ** 31, 'firstTokenDelayMs must be less than 24 days');
  checkOption(1000 / tokensPerSecond < 2 ** 31, 'tokensPerSecond is too low: a token would take 24 days or more');
  checkOption(Array.isArray(models) && models.length > 0, 'models must be a non-empty array of models');
  for (const [index, model] of models.entries()) {
    checkModel(model, `models[${index}]`);
    const { id } = model;
    checkOption(models.findIndex((one) => one.id === id) === index, `models has the ID '${id}' twice`);
  }
  return { models, tokensPerSecond, firstTokenDelayMs };
}

function checkModel(model: SimulatorModel, at: string): void {
  checkOption(typeof model === 'object' && (model as unknown) !== null, `${at} must be an object`);
  checkOptionNames(at, model, ['id', 'reply', 'chunks', 'efforts']);
  const { id, reply = 'none', chunks, efforts = allEfforts } = model;
  const hasReply = model.reply !== undefined;
  checkOption(isText(id), `${at}.id must be a non-empty string`);
  checkOption(isText(reply), `${at}.reply must be a non-empty string`);
  checkOption(
    chunks === undefined || (Number.isSafeInteger(chunks) && chunks >= 1),
    `${at}.chunks must be an integer of at least 1`,
  );
  checkOption(chunks === undefined || hasReply, `${at}.chunks needs ${at}.reply`);
  checkOption(model.efforts === undefined || !hasReply, `${at}.efforts is not possible with a fixed reply`);
  const { values, default: preset } = efforts;
  const areEfforts =
    Array.isArray(values) &&
    values.every((one) => effortNames.includes(one as ReasoningEffort)) &&
    values.includes(preset);
  checkOption(areEfforts, `${at}.efforts must be { values, default }, both of ${effortNames.join(', ')}`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
