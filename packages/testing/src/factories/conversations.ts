import type {
  CompactedResponse,
  Conversation,
  ConversationCreateParams,
  ConversationItemParams,
  ConversationItemsCreateParams,
  ConversationUpdateParams,
  ResponseCompactParams,
  ResponseInputTokens,
  ResponseInputTokensParams,
  ResponseItem,
  ResponseItemListParams,
  ResponseRetrieveParams,
} from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory, tokenUsageFactory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of conversations and of stored responses. */
export function conversationFactories(random: Random) {
  const usage = tokenUsageFactory(random, 5, 50);
  const message = () => ({ type: 'message', role: 'user', content: random.sentence() }) as const;
  const item = factory<ResponseItem>(() => ({ ...message(), id: random.id('msg_') }));
  return {
    responseRetrieveQuery: factory<ResponseRetrieveParams>(() => ({ include: [] })),
    responseDeleted: deletedFactory(random, 'resp_', 'response'),
    responseItemList: pageFactory(item),
    responseItemListQuery: factory<ResponseItemListParams>(() => ({ limit: 20, order: 'desc' })),
    responseInputTokens: factory<ResponseInputTokens>(() => ({
      object: 'response.input_tokens',
      input_tokens: random.int(5, 50),
    })),
    compactedResponse: factory<CompactedResponse>(() => ({
      id: random.id('resp_'),
      object: 'response.compaction',
      created_at: random.time(),
      output: [item()],
      usage: usage(),
    })),
    conversationDeleted: deletedFactory(random, 'conv_', 'conversation.deleted'),
    conversationItemQuery: factory<ConversationItemParams>(() => ({ include: [] })),
    conversation: factory<Conversation>(() => ({
      id: random.id('conv_'),
      object: 'conversation',
      created_at: random.time(),
      metadata: {},
    })),
    conversationCreateParams: factory<ConversationCreateParams>(() => ({ items: [message()] })),
    conversationItemsCreateParams: factory<ConversationItemsCreateParams>(() => ({ items: [message()] })),
    conversationUpdateParams: factory<ConversationUpdateParams>(() => ({ metadata: { topic: 'tests' } })),
    responseCompactParams: factory<ResponseCompactParams>(() => ({ model: 'gpt-4o', input: random.sentence() })),
    responseInputTokensParams: factory<ResponseInputTokensParams>(() => ({
      model: 'gpt-4o',
      input: random.sentence(),
    })),
  };
}
