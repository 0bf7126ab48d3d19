import * as z from 'zod';
import { constant, string } from './field.ts';

/** The reply to the deletion of an object of one type. */
export const deletionOf = <const Type extends string>(
  noun: string,
  example: { readonly id: string; readonly object: Type },
  deleted = 'Whether it was deleted.',
) =>
  z.looseObject({
    id: string(`ID of the ${noun}.`, example.id),
    object: constant(example.object),
    deleted: z.boolean().describe(deleted),
  });
