import * as z from 'zod';
import { constant, id, open, timestamp } from './field.ts';

export const modelSchema = z
  .looseObject({
    id: id('ID of the model, for the `model` field of requests.', 'simulator'),
    object: constant('model'),
    created: timestamp('When the model was created, or first served.'),
    owned_by: z.string().meta({ description: 'Who provides the model.', examples: ['modelwire'] }),
    kinds: z
      .array(open(['chat', 'embedding', 'moderation', 'video']))
      .optional()
      .meta({
        description: 'Which requests the model serves. Absent if the server only forwards requests to it.',
        examples: [['chat']],
      }),
  })
  .meta({ id: 'Model', description: 'A model that this server serves.' });

export const modelListSchema = z
  .looseObject({ object: constant('list'), data: z.array(modelSchema).describe('The models.') })
  .meta({ id: 'ModelList', description: 'All models. The list has no pages.' });

const listed = (description: string, ...examples: readonly string[]) =>
  z.array(z.string()).meta({ description, examples: [[...examples]] });

/**
 * The capabilities of a chat model. A parameter is `native` (implemented by the engine of the model), `emulated` (implemented by the server) or
 * `refused` (a 400 that names it).
 */
export const modelCapabilitiesSchema = z
  .looseObject({
    object: constant('model.capabilities'),
    model: id('ID of the model.', 'simulator'),
    parameters: z.record(z.string(), z.enum(['native', 'emulated', 'refused'])).meta({
      description:
        'How each request parameter that not every model supports is handled: `native` by the model, `emulated` by the server, or `refused` with a 400 that names it.',
      examples: [{ seed: 'native', n: 'emulated' }],
    }),
    roles: listed('Roles that messages may have.', 'developer', 'system', 'user', 'assistant', 'tool'),
    inputs: listed('Types of content parts that user messages may have.', 'text', 'image_url'),
    modalities: listed('Types of output.', 'text', 'audio'),
    response_formats: listed('Types of `response_format`.', 'text', 'json_object', 'json_schema'),
    tool_types: listed('Types of tools.', 'function', 'custom'),
    grammars: listed('Syntaxes of grammars that custom tools may have.', 'lark', 'regex'),
    reasoning_efforts: listed(
      'Values of `reasoning_effort`. Null if the model does not list them.',
      'low',
      'high',
    ).nullable(),
    verbosities: listed('Values of `verbosity`.', 'low', 'medium', 'high'),
    service_tiers: listed('Values of `service_tier`.', 'auto', 'default'),
  })
  .meta({ id: 'ModelCapabilities', description: 'What a chat model supports at this server.' });
