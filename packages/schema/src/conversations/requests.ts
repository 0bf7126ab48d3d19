import * as z from 'zod';
import { CONVERSATION_ITEMS_MAX } from '../limits.ts';
import { metadataSchema } from '../metadata.ts';
import { responseInputItemSchema } from '../responses/input-items.ts';
import { includeQuery } from '../responses/stored.ts';

const items = z.array(responseInputItemSchema).max(CONVERSATION_ITEMS_MAX);

export const conversationCreateParamsSchema = z
  .strictObject({
    metadata: metadataSchema.optional(),
    items: items.optional().describe(`The first items of the conversation. At most ${CONVERSATION_ITEMS_MAX}.`),
  })
  .meta({ id: 'ConversationCreateParams', description: 'A new conversation.' });

export const conversationUpdateParamsSchema = z
  .strictObject({ metadata: metadataSchema })
  .meta({ id: 'ConversationUpdateParams', description: 'What changes in a conversation.' });

export const conversationItemsCreateParamsSchema = z
  .strictObject({ items: items.describe(`The items to add. At most ${CONVERSATION_ITEMS_MAX}.`) })
  .meta({ id: 'ConversationItemsCreateParams', description: 'Items to add to a conversation.' });

export const conversationItemQuerySchema = z.strictObject({ ...includeQuery });
