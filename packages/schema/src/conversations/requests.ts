import * as z from 'zod';
import { requestObject } from '../fields/field.ts';
import { CONVERSATION_ITEMS_MAX } from '../limits.ts';
import { metadataSchema } from '../fields/metadata.ts';
import { responseInputItemSchema } from '../responses/input-items.ts';
import { includeQuery } from '../responses/stored.ts';

const items = z.array(responseInputItemSchema).max(CONVERSATION_ITEMS_MAX);

export const conversationCreateParamsSchema = requestObject('ConversationCreateParams', 'A new conversation.', {
  metadata: metadataSchema.optional(),
  items: items.optional().describe(`The first items of the conversation. At most ${CONVERSATION_ITEMS_MAX}.`),
});

export const conversationUpdateParamsSchema = requestObject(
  'ConversationUpdateParams',
  'What changes in a conversation.',
  { metadata: metadataSchema },
);

export const conversationItemsCreateParamsSchema = requestObject(
  'ConversationItemsCreateParams',
  'Items to add to a conversation.',
  { items: items.describe(`The items to add. At most ${CONVERSATION_ITEMS_MAX}.`) },
);

export const conversationItemQuerySchema = z.strictObject({ ...includeQuery });
