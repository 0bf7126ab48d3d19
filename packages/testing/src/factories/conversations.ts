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
import { deletedFactory, factory, pageFactory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of conversations and of stored responses. */
export function conversationFactories(random: Random) {
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
      usage: {
        input_tokens: 8,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 12,
      },
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
