import { chatParameters, emulatedParameters, parameterRules } from '@modelwire/ports/internal';
import type { CapabilitiesInit } from '@modelwire/ports';
import type { ChatParameter, EmulatedParameter } from '@modelwire/ports/internal';
import * as z from 'zod';

const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export const efforts = z
  .strictObject({
    values: z.array(effort).min(1).describe('Accepted values.'),
    default: effort.describe('Value for requests without `reasoning_effort`.'),
  })
  .refine(({ values, default: defaultEffort }) => values.includes(defaultEffort), {
    message: 'the default must be one of the values',
    path: ['default'],
  });

function fields<Name extends string, Field>(names: readonly Name[], field: Field): Record<Name, Field> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

function isNeverEmulated(name: ChatParameter): name is Exclude<ChatParameter, EmulatedParameter> {
  return parameterRules[name].emulated === 'never';
}

/** Capabilities of a model. A capability that is not set is unrestricted. */
const capabilities: z.ZodType<CapabilitiesInit> = z.strictObject({
  parameters: z
    .strictObject({
      ...fields(emulatedParameters, z.enum(['native', 'emulated', 'refused']).optional()),
      ...fields(chatParameters.filter(isNeverEmulated), z.enum(['native', 'refused']).optional()),
    })
    .optional()
    .describe(
      'Per parameter: `native` (sent to the model), `refused` (400), or, where the server can do it itself, `emulated`.',
    ),
  roles: z
    .array(z.enum(['developer', 'system', 'user', 'assistant', 'tool', 'function']))
    .optional()
    .describe('Accepted message roles.'),
  inputs: z
    .array(z.enum(['text', 'image', 'audio', 'file']))
    .optional()
    .describe('Accepted content types in messages.'),
  image_sources: z
    .array(z.enum(['data', 'web']))
    .optional()
    .describe('Accepted image sources. If `web` is missing, Modelwire downloads images and sends them as `data`.'),
  modalities: z
    .array(z.enum(['text', 'audio']))
    .optional()
    .describe('Output modalities.'),
  response_formats: z.array(z.enum(['text', 'json_object', 'json_schema'])).optional(),
  tool_types: z.array(z.enum(['function', 'custom'])).optional(),
  tool_choices: z.array(z.enum(['none', 'required', 'function', 'custom', 'allowed_tools'])).optional(),
  structured_outputs: z
    .enum(['guaranteed', 'native', 'off'])
    .optional()
    .describe(
      'How replies become what `response_format`, strict functions and grammars of custom tools require: `guaranteed` by Modelwire, which repairs them; `native`: the schema is forwarded, and an invalid reply is an error; `off`: replies are not checked. Default: that of the upstream or provider.',
    ),
  assistant_prefill: z
    .boolean()
    .optional()
    .describe(
      'Whether the model continues an assistant message at the end of a prompt. Repairs and `resumableStreams.continueLost` use it. Default: Modelwire finds out.',
    ),
  grammars: z.array(z.enum(['lark', 'regex'])).optional(),
  efforts: efforts
    .optional()
    .describe(
      'Accepted values of `reasoning_effort`, and the value for requests without it. Default: passed on unchanged.',
    ),
  verbosities: z.array(z.enum(['low', 'medium', 'high'])).optional(),
  service_tiers: z.array(z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])).optional(),
  reasoning_content: z
    .boolean()
    .optional()
    .describe(
      'Send the reasoning of earlier replies, as `reasoning_content` and `reasoning` of assistant messages. If false, Modelwire removes it. Default: true for the presets `vllm`, `sglang` and `llama.cpp`.',
    ),
  provider_metadata: z
    .boolean()
    .optional()
    .describe('Send `provider_metadata` of assistant messages. If false, Modelwire removes it. Default false.'),
});

export const capabilitiesField = capabilities
  .optional()
  .describe('Capabilities that differ from the preset. Without a preset: capabilities that are restricted.');
