import * as z from 'zod';
import { timestamp } from './field.ts';

export const modelSchema = z
  .looseObject({ id: z.string(), object: z.literal('model'), created: timestamp(), owned_by: z.string() })
  .meta({ id: 'Model' });

export const modelListSchema = z
  .looseObject({ object: z.literal('list'), data: z.array(modelSchema) })
  .meta({ id: 'ModelList' });

export const modelDeletedSchema = z
  .looseObject({ id: z.string(), object: z.string(), deleted: z.boolean() })
  .meta({ id: 'ModelDeleted' });

/**
 * What a chat model can do at this server. A parameter is `native` (the model's engine does it), `emulated` (the server does it
 * around the engine) or `refused` (a 400 that names it).
 */
export const modelCapabilitiesSchema = z
  .looseObject({
    object: z.literal('model.capabilities'),
    model: z.string(),
    parameters: z.record(z.string(), z.enum(['native', 'emulated', 'refused'])),
    roles: z.array(z.string()),
    inputs: z.array(z.string()),
    modalities: z.array(z.string()),
    response_formats: z.array(z.string()),
    tool_types: z.array(z.string()),
    grammars: z.array(z.string()),
    reasoning_efforts: z.array(z.string()).nullable(),
    verbosities: z.array(z.string()),
    service_tiers: z.array(z.string()),
  })
  .meta({ id: 'ModelCapabilities' });
