import type { ResponseCustomToolCall, ResponseFunctionCall } from '@modelwire/schema/types';
import type { ItemPosition, OutputItemBuilder, ResponseEventEmitter } from './event-sequence.ts';
import type { ClientToolName } from './tool-names.ts';

/** A call of a function or a custom tool. */
export class ToolCallItem implements OutputItemBuilder {
  readonly #index: number;
  readonly #id: string;
  readonly #kind: 'function' | 'custom';
  readonly #callId: string;
  readonly #tool: ClientToolName;
  readonly #events: ResponseEventEmitter;
  #input = '';

  constructor(
    id: string,
    index: number,
    events: ResponseEventEmitter,
    call: {
      readonly callId: string;
      readonly kind: 'function' | 'custom';
      readonly tool: ClientToolName;
    },
  ) {
    this.#index = index;
    this.#events = events;
    this.#kind = call.kind;
    this.#callId = call.callId;
    this.#tool = call.tool;
    this.#id = id;
    events.emit({ type: 'response.output_item.added', output_index: index, item: this.#item('in_progress') });
  }

  addInput(delta: string): void {
    this.#input += delta;
    const type =
      this.#kind === 'function' ? 'response.function_call_arguments.delta' : 'response.custom_tool_call_input.delta';
    this.#events.emit({ type, ...this.#position(), delta });
  }

  close(status: 'completed' | 'incomplete'): ResponseFunctionCall | ResponseCustomToolCall {
    const item = this.#item(status);
    const position = this.#position();
    this.#events.emit(
      item.type === 'function_call'
        ? { type: 'response.function_call_arguments.done', ...position, name: item.name, arguments: item.arguments }
        : { type: 'response.custom_tool_call_input.done', ...position, input: item.input },
    );
    this.#events.emit({ type: 'response.output_item.done', output_index: this.#index, item });
    return item;
  }

  #position(): ItemPosition {
    return { output_index: this.#index, item_id: this.#id };
  }

  #item(status: ResponseFunctionCall['status']): ResponseFunctionCall | ResponseCustomToolCall {
    const { name, namespace } = this.#tool;
    const shared = { id: this.#id, call_id: this.#callId, name, ...(namespace !== undefined && { namespace }), status };
    return this.#kind === 'function'
      ? { type: 'function_call', ...shared, arguments: this.#input }
      : { type: 'custom_tool_call', ...shared, input: this.#input };
  }
}
