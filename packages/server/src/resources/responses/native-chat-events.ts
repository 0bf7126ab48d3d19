import { isRecord } from '@modelwire/adapter-kit';
import type { ChatEvent, NativeResponseEvent } from '@modelwire/ports';
import type { FinishReason } from '@modelwire/schema/types';
import type { NativeOutcome } from './native-events.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'function' | 'custom';

const choice = 0;
const kinds: ReadonlyMap<unknown, Kind> = new Map([
  ['function_call', 'function'],
  ['custom_tool_call', 'custom'],
]);

/** Reports the events of a response to an observer as chat events: text, refusals, reasoning, tool calls, usage and how it ended. */
export class NativeChatEvents {
  readonly #onEvent: (event: ChatEvent) => void;
  /** The tool calls by their position in the output. */
  readonly #calls = new Map<unknown, { readonly index: number; readonly kind: Kind }>();

  constructor(onEvent: (event: ChatEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Ignores events of hosted tools, and events that repeat earlier content. */
  add(event: NativeResponseEvent): void {
    const { type, delta } = event;
    if (type === 'response.output_item.added') this.#addCall(event);
    if (typeof delta !== 'string') return;
    switch (type) {
      case 'response.output_text.delta':
        this.#onEvent({ type: 'text', choice, text: delta });
        break;
      case 'response.refusal.delta':
        this.#onEvent({ type: 'refusal', choice, text: delta });
        break;
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        this.#onEvent({ type: 'extra', choice, delta: { reasoning_content: delta } });
        break;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta': {
        const call = this.#calls.get(event['output_index']);
        if (call) this.#onEvent({ type: 'tool_input', choice, ...call, text: delta });
      }
    }
  }

  end({ usage }: NativeOutcome, reason: FinishReason): void {
    this.#onEvent({ type: 'finish', choice, reason });
    if (usage) this.#onEvent({ type: 'usage', usage });
  }

  #addCall({ item, output_index }: Fields): void {
    if (!isRecord(item)) return;
    const { type, call_id: id, name } = item;
    const kind = kinds.get(type);
    if (!kind || typeof id !== 'string' || typeof name !== 'string') return;
    const index = this.#calls.size;
    this.#calls.set(output_index, { index, kind });
    this.#onEvent({ type: 'tool_call', choice, index, id, kind, name });
  }
}

/** The finish reason of a chat. */
export function finishReasonOf({ incompleteDetails, output }: NativeOutcome): FinishReason {
  if (incompleteDetails) return incompleteDetails.reason === 'content_filter' ? 'content_filter' : 'length';
  return output.some(({ type }) => kinds.has(type)) ? 'tool_calls' : 'stop';
}
