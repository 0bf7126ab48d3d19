import type { ModelCapabilities } from '@modelwire/client';
import { emptySetup } from './setup.ts';
import type { Setup } from './setup.ts';

/** The parameter of a request that each setting becomes. */
const parameters = {
  temperature: 'temperature',
  topP: 'top_p',
  maxTokens: 'max_completion_tokens',
  seed: 'seed',
  stop: 'stop',
  reasoningEffort: 'reasoning_effort',
  tools: 'tools',
  schema: 'response_format',
  logprobs: 'logprobs',
} as const satisfies { readonly [Name in keyof Setup]?: string };

type Setting = keyof typeof parameters;

const settings = Object.keys(parameters).filter((name): name is Setting => name in parameters);

/** Settings that a model does not support, with the reason. */
export type UnsupportedSettings = { readonly [Name in Setting]?: string };

/** The settings that one of the models does not support. */
export function findUnsupported(models: readonly ModelCapabilities[]): UnsupportedSettings {
  return Object.fromEntries(
    settings.flatMap((name) => {
      const refusing = models.find((model) => isRefused(name, model));
      return refusing === undefined ? [] : [[name, `Not supported by ${refusing.model}`]];
    }),
  );
}

function isRefused(name: Setting, { parameters: support, response_formats, tool_types }: ModelCapabilities): boolean {
  if (name === 'schema' && !response_formats.includes('json_schema')) return true;
  if (name === 'tools' && tool_types.length === 0) return true;
  return support[parameters[name]] === 'refused';
}

/** The set-up without what a model does not support, so that the request is not refused. */
export function withoutUnsupported(setup: Setup, unsupported: UnsupportedSettings): Setup {
  const defaults = Object.fromEntries(Object.entries(emptySetup).filter(([name]) => name in unsupported));
  return { ...setup, ...defaults };
}

/** The reasoning efforts that all models have; null for any. */
export function sharedEfforts(models: readonly ModelCapabilities[]): readonly string[] | null {
  const [first, ...others] = models.flatMap(({ reasoning_efforts: efforts }) => (efforts === null ? [] : [efforts]));
  return first?.filter((effort) => others.every((efforts) => efforts.includes(effort))) ?? null;
}
