import * as z from 'zod';
import { deriveUnknownFields } from './derive.ts';

const keepUnknownFields = deriveUnknownFields(z.unknown());
const dropUnknownFields = deriveUnknownFields(undefined);

/** The same schema, keeping unknown fields at every level instead of rejecting them. Schemas are written once, in strict mode. */
export function lenient<Schema extends z.core.$ZodType>(schema: Schema): Schema;
export function lenient(schema: z.core.$ZodType): z.core.$ZodType {
  return keepUnknownFields(schema);
}

/** The same schema, dropping unknown fields at every level instead of rejecting them. Loose objects keep them. */
export function ignoringUnknownFields<Schema extends z.core.$ZodType>(schema: Schema): Schema;
export function ignoringUnknownFields(schema: z.core.$ZodType): z.core.$ZodType {
  return dropUnknownFields(schema);
}
