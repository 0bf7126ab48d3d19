import * as z from 'zod';
import { constant, count, openEnum, responseObject, string, timestamp } from './fields/field.ts';

const dialect = openEnum(['messages'])
  .optional()
  .meta({
    description:
      'The only API that serves the model: `messages` is the Anthropic Messages API. Absent if all APIs for chat models do.',
    examples: ['messages'],
  });

export const modelSchema = responseObject('Model', 'A model that this server serves.', {
  id: string('ID of the model, for the `model` field of requests.', 'simulator'),
  object: constant('model'),
  created: timestamp('When the model was created, or first served.'),
  owned_by: string('Who provides the model.', 'modelwire'),
  kinds: z
    .array(openEnum(['chat', 'embedding', 'moderation', 'video']))
    .optional()
    .meta({
      description: 'Which requests the model serves. Absent if the server only forwards requests to it.',
      examples: [['chat']],
    }),
  dialect,
});

export const modelListSchema = responseObject('ModelList', 'All models. The list has no pages.', {
  object: constant('list'),
  data: z.array(modelSchema).describe('The models.'),
});

export const modelRuntimeSchema = responseObject('ModelRuntime', 'Where a model runs that the server runs itself.', {
  backend: openEnum(['cpu', 'cuda', 'vulkan', 'metal']).meta({
    description: 'What computes the model; `cpu` if no layer is on a GPU.',
    examples: ['cuda'],
  }),
  device: z
    .string()
    .nullable()
    .meta({ description: 'Names of the GPUs. Null on the CPU.', examples: ['NVIDIA L4'] }),
  gpu_layers: count('Layers on the GPU.'),
  layers: count('All layers of the model.'),
  gpu_memory_bytes: count('Memory of the GPU that weights and context take.'),
  memory_bytes: count('Memory of the host that weights and context take.'),
  context_size: count('Tokens of the context of each reply.'),
  sequences: count('Replies at a time.'),
});

const listed = (description: string, ...examples: readonly string[]) =>
  z.array(z.string()).meta({ description, examples: [[...examples]] });

/**
 * The capabilities of a chat model. A parameter is `native` (implemented by the engine of the model), `emulated` (implemented by the server) or
 * `refused` (a 400 that names it).
 */
export const modelCapabilitiesSchema = responseObject(
  'ModelCapabilities',
  'What a chat model supports at this server.',
  {
    object: constant('model.capabilities'),
    model: string('ID of the model.', 'simulator'),
    dialect,
    parameters: z.record(z.string(), z.enum(['native', 'emulated', 'refused'])).meta({
      description:
        'How each request parameter that not every model supports is handled: `native` by the model, `emulated` by the server, or `refused` with a 400 that names it.',
      examples: [{ seed: 'native', n: 'emulated' }],
    }),
    roles: listed('Roles that messages may have.', 'developer', 'system', 'user', 'assistant', 'tool'),
    inputs: listed('Types of content parts that user messages may have.', 'text', 'image_url'),
    modalities: listed('Types of output.', 'text', 'audio'),
    response_formats: listed('Types of `response_format`.', 'text', 'json_object', 'json_schema'),
    structured_outputs: openEnum(['guaranteed', 'native', 'off']).meta({
      description:
        'How replies become what `response_format`, strict functions and grammars of custom tools require: `guaranteed` by the server, which repairs replies; `native` by the model, checked by the server; `off` if the server does not check them.',
      examples: ['guaranteed'],
    }),
    tool_types: listed('Types of tools.', 'function', 'custom'),
    grammars: listed('Syntaxes of grammars that custom tools may have.', 'lark', 'regex'),
    reasoning_efforts: listed(
      'Values of `reasoning_effort`. Null if the model does not list them.',
      'low',
      'high',
    ).nullable(),
    verbosities: listed('Values of `verbosity`.', 'low', 'medium', 'high'),
    service_tiers: listed('Values of `service_tier`.', 'auto', 'default'),
    runtime: modelRuntimeSchema.optional().describe('Absent for models of other servers.'),
  },
);
