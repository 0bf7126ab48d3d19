import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { flag, integer, string } from '../fields/field.ts';
import { listOf, orderQuery, pageQuery } from '../fields/paging.ts';
import { responseIncludes } from './includes.ts';
import { responseStoredInputItemSchema } from './input-items.ts';
import { responseOutputItemSchema } from './output-items.ts';

export const includeQuery = {
  include: responseIncludes.describe('Accepted and ignored: stored items are returned complete.'),
};

export const responseRetrieveQuerySchema = z.strictObject({
  ...includeQuery,
  stream: flag(
    'Streams the events of a background response that was created with `stream`, also while it runs.',
    false,
  ),
  starting_after: integer({ min: 0 })
    .optional()
    .describe('Only events with a greater sequence number. Only with `stream`.'),
  include_obfuscation: flag('Whether random characters pad events to similar sizes.', true),
});

export const responseItemListQuerySchema = z.strictObject({ ...includeQuery, ...pageQuery(), ...orderQuery('desc') });

export const responseItemSchema = z
  .intersection(
    z.union([responseOutputItemSchema, responseStoredInputItemSchema]),
    z.looseObject({ id: string('ID of the item.', 'msg_abc123') }),
  )
  .meta({ id: 'ResponseItem', description: 'An item of the input or output of a response, with its ID.' });

export const responseItemListSchema = listOf('ResponseItemList', 'A page of items.', responseItemSchema);

export const responseDeletedSchema = deletionOf('response', { id: 'resp_abc123', object: 'response' }).meta({
  id: 'ResponseDeleted',
  description: 'A response that was deleted.',
});
