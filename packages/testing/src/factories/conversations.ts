import type { CompactedResponse, Conversation, ResponseInputTokens, ResponseItem } from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory, tokenUsageFactory } from './factory.ts';
import type { Random } from './random.ts';

/** Factories of conversations and of stored responses. */
export function conversationFactories(random: Random) {
  const usage = tokenUsageFactory(random, 5, 50);
  const message = () => ({ type: 'message', role: 'user', content: random.sentence() }) as const;
  const item = factory<ResponseItem>(() => ({ ...message(), id: random.id('msg_') }));
  return {
    responseDeleted: deletedFactory(random, 'resp_', 'response'),
    responseItemList: pageFactory(item),
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
    conversation: factory<Conversation>(() => ({
      id: random.id('conv_'),
      object: 'conversation',
      created_at: random.time(),
      metadata: {},
    })),
  };
}
