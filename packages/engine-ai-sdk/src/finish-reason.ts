import type { LanguageModelV4FinishReason } from '@ai-sdk/provider';
import type { FinishReason } from '@modelwire/schema/types';

/** The finish reason in the values of the API; undefined where the reply failed or was cut off. */
export function finishReason(
  { unified }: LanguageModelV4FinishReason,
  hasToolCalls: boolean,
): FinishReason | undefined {
  switch (unified) {
    case 'stop':
    case 'other':
      // Some providers report neither for a reply with tool calls.
      return hasToolCalls ? 'tool_calls' : 'stop';
    case 'length':
      return 'length';
    case 'tool-calls':
      return 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    case 'error':
    case 'interrupted':
      return undefined;
  }
}
