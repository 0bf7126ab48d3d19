import { describe, expect, test } from 'vitest';
import { empty, hello, helloEvents } from '../test/events.ts';
import { createResponseAccumulator } from './index.ts';
import type { ResponseObject, ResponseOutputItem, ResponseStreamEvent } from './index.ts';

type Unnumbered<E> = E extends unknown ? Omit<E, 'sequence_number'> : never;

function accumulate(events: readonly Unnumbered<ResponseStreamEvent>[]): ResponseObject | undefined {
  const accumulator = createResponseAccumulator();
  for (const [sequence_number, event] of events.entries()) accumulator.push({ ...event, sequence_number });
  return accumulator.snapshot();
}

const created = { type: 'response.created', response: empty } as const;

function outputAfter(item: ResponseOutputItem, ...events: readonly Unnumbered<ResponseStreamEvent>[]): unknown {
  const added = { type: 'response.output_item.added', output_index: 0, item } as const;
  return accumulate([created, added, ...events])?.output[0];
}

const at = { item_id: 'item_1', output_index: 0 } as const;

test('has the text of the deltas so far, and the complete response after the last event', () => {
  expect(accumulate(helloEvents.slice(0, 5))).toMatchObject({
    status: 'in_progress',
    output: [{ type: 'message', status: 'in_progress', content: [{ type: 'output_text', text: 'Hello' }] }],
  });
  expect(accumulate(helloEvents.slice(0, -1))?.output).toEqual(hello.output);
  expect(accumulate(helloEvents)).toEqual(hello);
});

test('a snapshot does not change afterwards', () => {
  const accumulator = createResponseAccumulator();
  for (const event of helloEvents.slice(0, 5)) accumulator.push(event);
  const snapshot = accumulator.snapshot();
  const copy = structuredClone(snapshot);
  for (const event of helloEvents.slice(5)) accumulator.push(event);
  expect(snapshot).toEqual(copy);
});

test('is undefined before the first event with the response', () => {
  expect(accumulate([])).toBeUndefined();
  expect(accumulate(helloEvents.slice(4, 6))).toBeUndefined();
  expect(accumulate(helloEvents.slice(4))).toEqual(hello);
});

test('events of unknown types and of unknown items change nothing', () => {
  const accumulator = createResponseAccumulator();
  for (const event of helloEvents.slice(0, 5)) accumulator.push(event);
  const before = accumulator.snapshot();
  const delta = { ...at, sequence_number: 5, content_index: 0, delta: '!', logprobs: [] } as const;
  accumulator.push({ ...delta, type: 'response.output_text.delta', output_index: 7 });
  accumulator.push({ ...delta, type: 'response.refusal.delta' });
  accumulator.push(JSON.parse('{"type":"keepalive","sequence_number":6}') as ResponseStreamEvent);
  expect(accumulator.snapshot()).toEqual(before);
});

describe('accumulates', () => {
  test('a refusal and annotations of a message', () => {
    const message = { type: 'message', id: 'item_1', role: 'assistant', status: 'in_progress', content: [] } as const;
    const annotation = {
      type: 'url_citation',
      start_index: 0,
      end_index: 1,
      url: 'https://a.test',
      title: 'A',
    } as const;
    expect(
      outputAfter(
        message,
        {
          type: 'response.content_part.added',
          ...at,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        { type: 'response.output_text.annotation.added', ...at, content_index: 0, annotation_index: 0, annotation },
        { type: 'response.content_part.added', ...at, content_index: 1, part: { type: 'refusal', refusal: '' } },
        { type: 'response.refusal.delta', ...at, content_index: 1, delta: 'No' },
        { type: 'response.refusal.delta', ...at, content_index: 1, delta: '.' },
      ),
    ).toEqual({
      ...message,
      content: [
        { type: 'output_text', text: '', annotations: [annotation] },
        { type: 'refusal', refusal: 'No.' },
      ],
    });
  });

  const call = { id: 'item_1', call_id: 'call_1', name: 'a', status: 'in_progress' } as const;

  test('the arguments of a function call', () => {
    const item = { ...call, type: 'function_call', arguments: '' } as const;
    const type = 'response.function_call_arguments.delta';
    const output = outputAfter(item, { type, ...at, delta: '{"a"' }, { type, ...at, delta: ':1}' });
    expect(output).toEqual({ ...item, arguments: '{"a":1}' });
  });

  test('the input of a custom tool call', () => {
    const item = { ...call, type: 'custom_tool_call', input: '' } as const;
    const type = 'response.custom_tool_call_input.delta';
    const output = outputAfter(item, { type, ...at, delta: 'SELECT' }, { type, ...at, delta: ' 1' });
    expect(output).toEqual({ ...item, input: 'SELECT 1' });
  });

  test('reasoning as text and as a summary', () => {
    const item = { type: 'reasoning', id: 'item_1', summary: [] } as const;
    expect(
      outputAfter(
        item,
        { type: 'response.content_part.added', ...at, content_index: 0, part: { type: 'reasoning_text', text: '' } },
        { type: 'response.reasoning_text.delta', ...at, content_index: 0, delta: 'Hm' },
        {
          type: 'response.reasoning_summary_part.added',
          ...at,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
        { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 'A' },
        { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 'ha' },
      ),
    ).toEqual({
      ...item,
      content: [{ type: 'reasoning_text', text: 'Hm' }],
      summary: [{ type: 'summary_text', text: 'Aha' }],
    });
  });

  test('the status of a web search', () => {
    const item = {
      type: 'web_search_call',
      id: 'item_1',
      status: 'in_progress',
      action: { type: 'search', query: 'rivers' },
    } as const;
    expect(outputAfter(item, { type: 'response.web_search_call.searching', ...at })).toEqual({
      ...item,
      status: 'searching',
    });
  });
});
