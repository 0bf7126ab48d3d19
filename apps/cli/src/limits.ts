import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Project } from '@modelwire/client';
import { usageError } from './cli-error.ts';
import { collect, nullIfNone, orNone, positiveInteger } from './option-values.ts';
import type { Fields } from './output/printer.ts';

const limit = orNone(positiveInteger);

/** Adds the rate limits of keys and projects. */
export function withRateOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option('--requests-per-minute <n>', 'Maximum requests per minute. "none" removes the limit', limit)
    .option('--tokens-per-minute <n>', 'Maximum tokens per minute. "none" removes the limit', limit);
}

/** Adds the limits of keys and projects. */
export function withLimitOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return withRateOptions(command)
    .option('--max-output-tokens <n>', 'Maximum output tokens of a request. "none" removes the limit', limit)
    .option(
      '--allow-model <model>',
      'Allow only these models (repeatable). "none" removes the limit and allows all models',
      collect,
    );
}

export interface LimitOptions {
  readonly requestsPerMinute?: number | 'none' | undefined;
  readonly tokensPerMinute?: number | 'none' | undefined;
  readonly maxOutputTokens?: number | 'none' | undefined;
  readonly allowModel?: readonly string[] | undefined;
}

/** The limits that the options set. Null removes a limit. */
export function limitsOf({ requestsPerMinute, tokensPerMinute, maxOutputTokens, allowModel }: LimitOptions) {
  return {
    requests_per_minute: nullIfNone(requestsPerMinute),
    tokens_per_minute: nullIfNone(tokensPerMinute),
    max_output_tokens: nullIfNone(maxOutputTokens),
    allowed_models: modelsOrNone(allowModel),
  };
}

function modelsOrNone(models: readonly string[] | undefined): string[] | null | undefined {
  if (models?.includes('none') !== true) return models && [...models];
  if (models.length > 1) throw usageError('--allow-model none cannot be combined with other models.');
  return null;
}

/** The rate limits in the output of a key or a project. */
export function rateFields({
  requests_per_minute,
  tokens_per_minute,
}: Pick<Project, 'requests_per_minute' | 'tokens_per_minute'>): Fields {
  return [
    ['requests per minute', requests_per_minute],
    ['tokens per minute', tokens_per_minute],
  ];
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
