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
