import type { CompactedResponse, ResponseItem, ResponseObject, ResponseUsage } from '@modelwire/schema/types';
import { nowInSeconds } from '../../clock.ts';
import { storedInput } from '../../items/stored-input.ts';
import { compactionItem, isCompacted, summaryRequest, withoutTools } from './compaction.ts';
import { readHistory } from './history.ts';
import { prepareResponse } from './prepare-response.ts';
import { runResponse } from './run-response.ts';
import type { Handlers } from '../../http/implement.ts';

/** POST /responses/compact: the messages of the user, and a model-generated summary that replaces everything else. */
export const compactResponse: Handlers['responses.compact'] = async (call, server) => {
  const { previous_response_id, input = [], metadata, stream_options, ...body } = withoutTools(call.body);
  const continued = previous_response_id === undefined ? {} : { previous_response_id };
  const history = await readHistory(continued, call, server);
  const items = [...history, ...(await storedInput({ items: input, path: 'input' }, call, server))];
  const summaryInput = [...items.filter(isCompacted), ...summaryRequest(server.createId)];
  const prepared = await prepareResponse(call, { ...body, input: summaryInput, store: false }, server);
  const response = await runResponse({ prepared, call, server });
  const compacted: CompactedResponse = {
    id: server.createId('resp_'),
    object: 'response.compaction',
    created_at: nowInSeconds(server.clock),
    output: [...items.filter(isUserMessage), compactionItem(textOf(response), server.createId)],
    usage: response.usage ?? noUsage,
  };
  return { status: 200, body: compacted };
};

function isUserMessage(item: ResponseItem): boolean {
  return (item.type === undefined || item.type === 'message') && item.role === 'user';
}

function textOf({ output }: ResponseObject): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

const noUsage: ResponseUsage = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
