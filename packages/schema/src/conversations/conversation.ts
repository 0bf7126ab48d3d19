import { deletionOf } from '../fields/deletion.ts';
import { constant, responseObject, string, timestamp } from '../fields/field.ts';
import { metadataSchema } from '../fields/metadata.ts';

export const conversationSchema = responseObject('Conversation', 'Items that responses continue and are added to.', {
  id: string('ID of the conversation.', 'conv_abc123'),
  object: constant('conversation'),
  created_at: timestamp('When the conversation was created.'),
  metadata: metadataSchema,
});

export const conversationDeletedSchema = deletionOf('conversation', {
  id: 'conv_abc123',
  object: 'conversation.deleted',
}).meta({ id: 'ConversationDeleted', description: 'A conversation that was deleted, with its items.' });
