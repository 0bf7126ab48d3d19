import { chatParameters, emulatedParameters, parameterRules } from '@modelwire/server';
import type { ChatParameter, EmulatedParameter } from '@modelwire/server';
import * as z from 'zod';

const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);
export const efforts = z
  .strictObject({ values: z.array(effort).min(1), default: effort })
  .refine(({ values, default: preset }) => values.includes(preset), {
    message: 'the default is not among the values',
    path: ['default'],
  });

function fields<Name extends string, Field>(names: readonly Name[], field: Field): Record<Name, Field> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

function isNeverEmulated(name: ChatParameter): name is Exclude<ChatParameter, EmulatedParameter> {
  return parameterRules[name].emulated === 'never';
}

/** What a model can do, where that differs from everything. */
const capabilities = z.strictObject({
  parameters: z
    .strictObject({
      ...fields(emulatedParameters, z.enum(['native', 'emulated', 'refused']).optional()),
      ...fields(chatParameters.filter(isNeverEmulated), z.enum(['native', 'refused']).optional()),
    })
    .optional()
    .describe('For each parameter `native` or `refused`; where the kit can do it around the server also `emulated`.'),
  roles: z.array(z.enum(['developer', 'system', 'user', 'assistant', 'tool', 'function'])).optional(),
  inputs: z.array(z.enum(['text', 'image', 'audio', 'file'])).optional(),
  image_sources: z
    .array(z.enum(['data', 'web']))
    .optional()
    .describe('Where images may be; those on the web are fetched here for a server that takes only `data`.'),
  modalities: z.array(z.enum(['text', 'audio'])).optional(),
  response_formats: z.array(z.enum(['text', 'json_object', 'json_schema'])).optional(),
  tool_types: z.array(z.enum(['function', 'custom'])).optional(),
  tool_choices: z.array(z.enum(['none', 'required', 'function', 'custom', 'allowed_tools'])).optional(),
  further_attempts: z.int().min(0).optional().describe('How often what does not fit is asked for again. Default 2.'),
  grammars: z.array(z.enum(['lark', 'regex'])).optional(),
  efforts: efforts
    .optional()
    .describe(
      'Values of `reasoning_effort`, and that of a request without it. Default: what is said goes on as it is.',
    ),
  verbosities: z.array(z.enum(['low', 'medium', 'high'])).optional(),
  service_tiers: z.array(z.enum(['auto', 'default', 'flex', 'priority'])).optional(),
});

export const capabilitiesField = capabilities
  .optional()
  .describe('What it can do, where that differs from its preset, or from everything without one.');
