import * as z from 'zod';
import { constant, responseObject, string, timestamp } from '../fields/field.ts';
import { responseCreateParamsSchema } from './create.ts';
import { responseUsageSchema } from './response.ts';
import { responseItemSchema } from './stored.ts';

/** Body of Compact response: that of Create response, but nothing is streamed, moderated on request, runs in the background or belongs to a conversation. */
export const responseCompactParamsSchema = responseCreateParamsSchema
  .omit({ stream: true, background: true, conversation: true, moderation: true })
  .meta({ id: 'ResponseCompactParams', description: 'Items to replace by a summary.' });

export const compactedResponseSchema = responseObject('CompactedResponse', 'A shorter input in place of a long one.', {
  id: string('ID of the compaction.', 'resp_abc123'),
  object: constant('response.compaction'),
  created_at: timestamp('When the items were compacted.'),
  output: z
    .array(responseItemSchema)
    .describe('The input to use from now on: the messages of the user, then one item with the summary.'),
  usage: responseUsageSchema,
});
