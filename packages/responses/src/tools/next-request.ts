import type {
  ResponseAllowedTools,
  ResponseCreateParamsBase,
  ResponseInputItem,
  ResponseToolChoice,
  ResponseUsage,
} from '@modelwire/schema/types';
import type { ModelResponse } from '../output-text.ts';

type Continuation = Pick<ResponseCreateParamsBase, 'input' | 'previous_response_id'>;

/**
 * What the next request has instead of its input. A stored response and a conversation have the earlier items, so that only the outputs
 * of tools are sent; otherwise all items are.
 */
export function continueResponse(
  { id, store, conversation }: ModelResponse,
  items: readonly ResponseInputItem[],
  outputs: readonly ResponseInputItem[],
): Continuation {
  if (conversation) return { input: outputs };
  return store ? { input: outputs, previous_response_id: id } : { input: items };
}

/** The tool choice after the first tool calls: a forced choice would force calls for ever. */
export function relaxToolChoice(choice: ResponseToolChoice): ResponseToolChoice {
  if (typeof choice === 'string') return choice === 'required' ? 'auto' : choice;
  return isAllowedTools(choice) ? { ...choice, mode: 'auto' } : 'auto';
}

function isAllowedTools(choice: Exclude<ResponseToolChoice, string>): choice is ResponseAllowedTools {
  return choice.type === 'allowed_tools';
}

/** Adds the usage of a response. */
export function addUsage(sum: ResponseUsage, more: ResponseUsage | null): ResponseUsage {
  if (more === null) return sum;
  return {
    input_tokens: sum.input_tokens + more.input_tokens,
    input_tokens_details: {
      cached_tokens: sum.input_tokens_details.cached_tokens + more.input_tokens_details.cached_tokens,
      cache_write_tokens: sum.input_tokens_details.cache_write_tokens + more.input_tokens_details.cache_write_tokens,
    },
    output_tokens: sum.output_tokens + more.output_tokens,
    output_tokens_details: {
      reasoning_tokens: sum.output_tokens_details.reasoning_tokens + more.output_tokens_details.reasoning_tokens,
    },
    total_tokens: sum.total_tokens + more.total_tokens,
  };
}

export const noUsage: ResponseUsage = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};
