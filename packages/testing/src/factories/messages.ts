import type {
  Message,
  MessageBatch,
  MessageBatchDeleted,
  MessageBatchList,
  MessageError,
  MessageTokensCount,
  MessageUsage,
} from '@modelwire/schema/types';
import { factory } from './factory.ts';
import type { Random } from './random.ts';

export function messageFactories(random: Random) {
  const messageUsage = factory<MessageUsage>(() => ({
    input_tokens: random.int(1, 99),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: random.int(1, 99),
    output_tokens_details: null,
    service_tier: 'standard',
  }));
  const messageBatch = factory<MessageBatch>(() => {
    const at = (seconds: number): string => new Date((random.time() + seconds) * 1000).toISOString();
    const id = random.id('batch_');
    return {
      id,
      type: 'message_batch',
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 2, errored: 0, canceled: 0, expired: 0 },
      created_at: at(0),
      expires_at: at(86_400),
      ended_at: at(3),
      cancel_initiated_at: null,
      archived_at: null,
      results_url: `http://127.0.0.1:8787/v1/messages/batches/${id}/results`,
    };
  });
  return {
    messageUsage,
    messageBatch,
    message: factory<Message>(() => ({
      id: random.id('msg_'),
      type: 'message',
      role: 'assistant',
      model: 'simulator',
      content: [{ type: 'text', text: random.sentence() }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: messageUsage(),
    })),
    messageTokensCount: factory<MessageTokensCount>(() => ({ input_tokens: random.int(1, 99) })),
    messageError: factory<MessageError>(() => ({
      type: 'error',
      error: {
        type: 'not_found_error',
        message: 'The model does not exist.',
        details: { error_code: 'model_not_found', param: 'model' },
      },
      request_id: random.id('req_'),
    })),
    messageBatchList: factory<MessageBatchList>(
      () => ({ data: [messageBatch(), messageBatch()], has_more: false, first_id: null, last_id: null }),
      ({ data }) => ({ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }),
    ),
    messageBatchDeleted: factory<MessageBatchDeleted>(() => ({
      id: random.id('batch_'),
      type: 'message_batch_deleted',
    })),
  };
}
