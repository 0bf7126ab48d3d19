import type { ChatEvent } from '@modelwire/ports';
import type { ResponseOutputItem, ResponseStreamEvent } from '@modelwire/schema/types';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toolCall, toolInput } from '../../testing/responses.ts';
import { EventSequence, noEvents } from './event-sequence.ts';
import { ResponseOutput } from './response-output.ts';
import { randomId } from '../../ids.ts';
import { createToolNames } from './tool-names.ts';

type ContentEvent = Parameters<ResponseOutput['add']>[0];
type EventBody = Omit<ResponseStreamEvent, 'sequence_number'> & Record<string, unknown>;

function outputOf(
  events: readonly ContentEvent[],
  { status = 'completed', isSummary = false }: { status?: 'completed' | 'incomplete'; isSummary?: boolean } = {},
): { readonly items: readonly ResponseOutputItem[]; readonly emitted: readonly EventBody[] } {
  const emitted: EventBody[] = [];
  const output = new ResponseOutput({
    events: new EventSequence(({ openJson }) => emitted.push(JSON.parse(`${openJson}}`) as EventBody)),
    createId: randomId,
    logprobs: false,
    reasoning: { isSummary, hasEncryptedContent: false },
    isCompaction: false,
    names: createToolNames([]),
  });
  for (const event of events) output.add(event);
  return { items: output.end(status), emitted };
}

const content = (type: 'text' | 'refusal', words: string): ContentEvent => ({ type, choice: 0, text: words });
const reasoning = (words: string): ContentEvent => ({ type: 'extra', choice: 0, delta: { reasoning_content: words } });
const asContent = (event: ChatEvent): ContentEvent => event as ContentEvent;

/** Accumulates events like a client that relies on the documented order. @throws for an event that is out of order. */
function accumulate(events: readonly EventBody[]): unknown[] {
  const items: Record<string, unknown>[] = [];
  let open: Record<string, unknown> | undefined;
  let part: { index: number; text: string; isDone: boolean } | undefined;
  const ids = new Set<unknown>();
  for (const event of events) {
    const { type } = event;
    if (type === 'response.output_item.added') {
      expect(open).toBeUndefined();
      expect(event['output_index']).toBe(items.length);
      open = event['item'] as Record<string, unknown>;
      expect(open['status']).toBe('in_progress');
      expect(ids.has(open['id'])).toBe(false);
      ids.add(open['id']);
      part = undefined;
      continue;
    }
    if (type === 'response.output_item.done') {
      const item = event['item'] as Record<string, unknown>;
      expect(event['output_index']).toBe(items.length);
      expect(item['id']).toBe(open?.['id']);
      expect(part?.isDone ?? true).toBe(true);
      items.push(item);
      open = undefined;
      continue;
    }
    expect([event['item_id'], event['output_index']]).toEqual([open?.['id'], items.length]);
    if (/part\.added$/.test(type)) {
      const index = Number(event['content_index'] ?? event['summary_index']);
      expect(part?.isDone ?? true).toBe(true);
      expect(index).toBe(part ? part.index + 1 : 0);
      part = { index, text: '', isDone: false };
    } else if (type.endsWith('.delta')) {
      // Calls have no parts: their deltas are compared with the complete input.
      part ??= { index: 0, text: '', isDone: false };
      expect(part.isDone).toBe(false);
      part.text += String(event['delta']);
    } else if (/part\.done$/.test(type)) {
      if (part) part.isDone = true;
    } else if (type.endsWith('.done')) {
      const whole = event['text'] ?? event['refusal'] ?? event['arguments'] ?? event['input'];
      expect(whole).toBe(part?.text ?? '');
      if (part && (event['arguments'] !== undefined || event['input'] !== undefined)) part.isDone = true;
    }
  }
  expect(open).toBeUndefined();
  return items;
}

const words = fc.string({ minLength: 1, maxLength: 6 });
/** A reply: texts and reasoning between calls, whose arguments come in pieces and may be interleaved. */
const reply = fc
  .array(
    fc.oneof(
      words.map((said) => content('text', said)),
      words.map((said) => content('refusal', said)),
      words.map(reasoning),
      fc.record({ call: fc.nat(3), piece: fc.nat(5) }),
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    const events: ContentEvent[] = [];
    const startedCalls = new Map<number, string>();
    for (const step of steps) {
      if ('type' in step) events.push(step);
      else {
        const kind = step.call === 3 ? 'custom' : 'function';
        if (!startedCalls.has(step.call)) {
          startedCalls.set(step.call, '');
          events.push(asContent(toolCall(step.call, `tool_${step.call}`, kind)));
          if (kind === 'function') events.push(asContent(toolInput(step.call, '{"a":"')));
        }
        // A custom tool takes any text, so its call is complete when another item begins.
        if (kind === 'function') events.push(asContent(toolInput(step.call, 'x'.repeat(step.piece + 1))));
      }
    }
    for (const call of startedCalls.keys()) if (call !== 3) events.push(asContent(toolInput(call, '"}')));
    return events;
  });

test('the events are in the documented order and add up to the items, whatever the engine emits', () => {
  fc.assert(
    fc.property(
      reply,
      fc.boolean(),
      fc.constantFrom('completed' as const, 'incomplete' as const),
      (events, isSummary, status) => {
        const { items, emitted } = outputOf(events, { status, isSummary });
        expect(accumulate(emitted)).toEqual(items);
        if (status === 'completed') expect(items.length).toBeGreaterThan(0);
        expect(items.slice(0, -1).every((item) => 'status' in item && item.status === 'completed')).toBe(true);
        expect(new Set(items.flatMap((item) => ('call_id' in item ? [item.call_id] : []))).size).toBe(
          items.filter((item) => 'call_id' in item).length,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('everything that the engine emits is in the output, in any order', () => {
  fc.assert(
    fc.property(reply, (events) => {
      const { items } = outputOf(events);
      const said = (type: ContentEvent['type']): string =>
        events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
      const texts = items.flatMap((item) => (item.type === 'message' ? item.content : []));
      const letters = (text: string): string => Array.from(text).sort().join('');
      expect(letters(texts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''))).toBe(letters(said('text'))); // prettier-ignore
      expect(letters(texts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join(''))).toBe(letters(said('refusal'))); // prettier-ignore
      const inputs = items.map((item) =>
        item.type === 'function_call' ? item.arguments : item.type === 'custom_tool_call' ? item.input : '',
      );
      expect(letters(inputs.join(''))).toBe(letters(said('tool_input')));
      for (const item of items) {
        if (item.type === 'function_call') expect(JSON.parse(item.arguments)).toBeDefined();
      }
    }),
    { numRuns: 300 },
  );
});

test('interleaved arguments of two calls are separated, one call after the other', () => {
  const { items } = outputOf(
    [
      toolCall(0, 'a'),
      toolInput(0, '{"x"'),
      toolCall(1, 'b'),
      toolInput(1, '{"y"'),
      toolInput(0, ':1}'),
      toolInput(1, ':2}'),
    ].map(asContent),
  );
  expect(items).toMatchObject([
    { name: 'a', arguments: '{"x":1}' },
    { name: 'b', arguments: '{"y":2}' },
  ]);
});

test('the arguments of an open call are not parsed again for each event of another call', () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const output = new ResponseOutput({
    events: noEvents,
    createId: randomId,
    logprobs: false,
    reasoning: { isSummary: false, hasEncryptedContent: false },
    isCompaction: false,
    names: createToolNames([]),
  });
  for (const index of [0, 1]) {
    output.add(asContent(toolCall(index, 'tool')));
    output.add(asContent(toolInput(index, ' {"a":"')));
  }
  for (let count = 0; count < 1000; count++) output.add(asContent(toolInput(count % 2, 'word ')));
  for (const index of [0, 1]) output.add(asContent(toolInput(index, '"}\n')));
  const whole = ` {"a":"${'word '.repeat(500)}"}\n`;
  expect(output.end('completed')).toMatchObject([{ arguments: whole }, { arguments: whole }]);
  expect(parse.mock.calls.length).toBeLessThan(5);
});

test('calls with the same ID, or without one, get unique IDs', () => {
  const { items } = outputOf(
    [toolCall(0, 'a', 'custom', 'same'), toolCall(1, 'b', 'custom', 'same'), toolCall(2, 'c', 'custom', '')].map(
      asContent,
    ),
  );
  const ids = items.map((item) => ('call_id' in item ? item.call_id : ''));
  expect(ids[0]).toBe('same');
  expect(ids.slice(1)).toEqual([expect.stringMatching(/^call_/), expect.stringMatching(/^call_/)]);
});
