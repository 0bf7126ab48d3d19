import type { Project } from '@modelwire/schema/types';
import { usageError } from './cli-error.ts';
import type { Flags, Values } from './command.ts';
import type { Fields } from './output/printer.ts';
import { rateFields } from './output/shapes.ts';

/** The value of an option that removes a limit. */
const none = 'none';

/** Limits of keys and projects, for commands that create or change them. */
export const limitFlags = {
  'requests-per-minute': {
    type: 'string',
    value: 'n',
    description: 'Maximum requests per minute. "none" removes the limit',
  },
  'tokens-per-minute': {
    type: 'string',
    value: 'n',
    description: 'Maximum tokens per minute. "none" removes the limit',
  },
  'max-output-tokens': {
    type: 'string',
    value: 'n',
    description: 'Maximum output tokens of a request. "none" removes the limit',
  },
  'allow-model': {
    type: 'string',
    multiple: true,
    value: 'id',
    completes: 'model',
    description: 'Allow only these models. "none" removes the limit and allows all models',
  },
} as const satisfies Flags;

/** The limits that the options set. Null removes a limit. @throws a usage error. */
export function limitsOf(flags: Values<typeof limitFlags>) {
  const requests = integerOrNone('--requests-per-minute', flags['requests-per-minute'], 1);
  const tokens = integerOrNone('--tokens-per-minute', flags['tokens-per-minute'], 1);
  const output = integerOrNone('--max-output-tokens', flags['max-output-tokens'], 1);
  const models = modelsOrNone(flags['allow-model']);
  return {
    ...(requests !== undefined && { requests_per_minute: requests }),
    ...(tokens !== undefined && { tokens_per_minute: tokens }),
    ...(output !== undefined && { max_output_tokens: output }),
    ...(models !== undefined && { allowed_models: models }),
  };
}

/** Null for `none`. @throws a usage error for text that is neither an integer of at least `min` nor `none`. */
export function integerOrNone(flag: string, text: string | undefined, min: number): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === none) return null;
  if (!/^\d{1,15}$/.test(text) || Number(text) < min)
    throw usageError(`Invalid value "${text}" for ${flag}: expected an integer of at least ${min}, or none.`);
  return Number(text);
}

/** Null for `none`. @throws a usage error for text that `parse` does not accept. */
export function parsedOrNone<Value>(
  text: string | undefined,
  parse: (text: string) => Value,
): Value | null | undefined {
  if (text === undefined) return undefined;
  return text === none ? null : parse(text);
}

function modelsOrNone(models: readonly string[]): readonly string[] | null | undefined {
  if (models.length === 0) return undefined;
  if (!models.includes(none)) return models;
  if (models.length > 1) throw usageError('--allow-model none cannot be combined with other models.');
  return null;
}

/** The limits in the output of a key or a project. */
export function limitFields(
  limited: Pick<Project, 'requests_per_minute' | 'tokens_per_minute' | 'max_output_tokens' | 'allowed_models'>,
): Fields {
  return [
    ...rateFields(limited),
    ['max output tokens', limited.max_output_tokens],
    // An empty list, which the API accepts, allows no model.
    ['allowed models', limited.allowed_models?.length === 0 ? 'no models' : limited.allowed_models?.join(' ')],
  ];
}
