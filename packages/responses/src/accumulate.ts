import type { ResponseObject, ResponseOutputItem, ResponseStreamEvent } from '@modelwire/schema/types';

/** Accumulates the events of a stream. */
export interface ResponseAccumulator {
  push(event: ResponseStreamEvent): void;
  /**
   * The response so far, never changed afterwards; `undefined` before its first event, and while the events of a stream that began with
   * `starting_after` continue items from before.
   */
  snapshot(): ResponseObject | undefined;
}

export function createResponseAccumulator(): ResponseAccumulator {
  let response: ResponseObject | undefined;
  return {
    push: (event) => (response = applyEvent(response, event)),
    snapshot: () => response,
  };
}

/** True for the event that ends a stream: it has the whole response. A payload can be null, since payloads are not validated. */
export function isLastEvent(event: ResponseStreamEvent | null): boolean {
  return /^response\.(completed|incomplete|failed)$/.test(event?.type ?? '');
}

/**
 * The response after an event. Events of unknown types and of unknown items change nothing. The `.done` events of texts and arguments
 * are not read: the part or item that follows them is complete.
 */
function applyEvent(response: ResponseObject | undefined, event: ResponseStreamEvent): ResponseObject | undefined {
  if ('response' in event) return event.response;
  if (response === undefined || !('output_index' in event)) return response;
  const { output } = response;
  if ('item' in event) return { ...response, output: setAt(output, event.output_index, event.item) };
  const item = output[event.output_index];
  if (item === undefined) return response;
  return { ...response, output: setAt(output, event.output_index, applyToItem(item, event)) };
}

type ItemEvent = Exclude<Extract<ResponseStreamEvent, { output_index: number }>, { item: unknown }>;

function applyToItem(item: ResponseOutputItem, event: ItemEvent): ResponseOutputItem {
  switch (item.type) {
    case 'message':
      return applyToMessage(item, event);
    case 'reasoning':
      return applyToReasoning(item, event);
    case 'function_call':
      return event.type === 'response.function_call_arguments.delta'
        ? { ...item, arguments: item.arguments + event.delta }
        : item;
    case 'custom_tool_call':
      return event.type === 'response.custom_tool_call_input.delta'
        ? { ...item, input: item.input + event.delta }
        : item;
    case 'web_search_call':
      switch (event.type) {
        case 'response.web_search_call.in_progress':
          return { ...item, status: 'in_progress' };
        case 'response.web_search_call.searching':
          return { ...item, status: 'searching' };
        case 'response.web_search_call.completed':
          return { ...item, status: 'completed' };
        default:
          return item;
      }
    default:
      return item;
  }
}

type Item<Type extends string> = Extract<ResponseOutputItem, { type: Type }>;

function applyToMessage(item: Item<'message'>, event: ItemEvent): Item<'message'> {
  if (!('content_index' in event)) return item;
  const { content_index: index } = event;
  if ('part' in event) {
    return event.part.type === 'reasoning_text' ? item : { ...item, content: setAt(item.content, index, event.part) };
  }
  const part = item.content[index];
  if (part?.type === 'refusal' && event.type === 'response.refusal.delta') {
    return { ...item, content: setAt(item.content, index, { ...part, refusal: part.refusal + event.delta }) };
  }
  if (part?.type !== 'output_text') return item;
  if (event.type === 'response.output_text.delta') {
    return { ...item, content: setAt(item.content, index, { ...part, text: part.text + event.delta }) };
  }
  if (event.type === 'response.output_text.annotation.added') {
    const annotations = setAt(part.annotations, event.annotation_index, event.annotation);
    return { ...item, content: setAt(item.content, index, { ...part, annotations }) };
  }
  return item;
}

function applyToReasoning(item: Item<'reasoning'>, event: ItemEvent): Item<'reasoning'> {
  const { content = [], summary } = item;
  switch (event.type) {
    case 'response.content_part.added':
    case 'response.content_part.done':
      return event.part.type === 'reasoning_text'
        ? { ...item, content: setAt(content, event.content_index, event.part) }
        : item;
    case 'response.reasoning_text.delta': {
      const text = (content[event.content_index]?.text ?? '') + event.delta;
      return { ...item, content: setAt(content, event.content_index, { type: 'reasoning_text', text }) };
    }
    case 'response.reasoning_summary_part.added':
    case 'response.reasoning_summary_part.done':
      return { ...item, summary: setAt(summary, event.summary_index, event.part) };
    case 'response.reasoning_summary_text.delta': {
      const text = (summary[event.summary_index]?.text ?? '') + event.delta;
      return { ...item, summary: setAt(summary, event.summary_index, { type: 'summary_text', text }) };
    }
    default:
      return item;
  }
}

/** A copy with the value at the index, or at the end where the list is shorter. */
function setAt<T>(list: readonly T[], index: number, value: T): readonly T[] {
  return index < list.length ? list.with(index, value) : [...list, value];
}
