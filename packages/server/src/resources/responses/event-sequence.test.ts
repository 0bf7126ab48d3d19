import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventSequence, storedEvent, writeEventsTo } from './event-sequence.ts';
import type { SerializedEvent, ItemPosition, ResponseEventBody } from './event-sequence.ts';

/** The fields of a delta event before its `delta`, in the order in which they are sent. */
interface DeltaFields extends ItemPosition {
  readonly type: Extract<ResponseEventBody, { readonly delta: string }>['type'];
  readonly content_index?: number;
  readonly summary_index?: number;
}

const place = { output_index: 2, item_id: 'msg_1' };
const kinds: readonly DeltaFields[] = [
  { type: 'response.output_text.delta', ...place, content_index: 1 },
  { type: 'response.refusal.delta', ...place, content_index: 0 },
  { type: 'response.reasoning_text.delta', ...place, content_index: 0 },
  { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0 },
  { type: 'response.function_call_arguments.delta', ...place },
  { type: 'response.custom_tool_call_input.delta', ...place },
];
const text = fc.string({ unit: 'binary', maxLength: 300 });
const sequenceNumber = fc.nat({ max: 100_000 });
const encoder = new TextEncoder();

function deltaEvent(fields: DeltaFields, delta: string): ResponseEventBody {
  // The compiler cannot infer that the fields belong to one type of event.
  return {
    ...fields,
    delta,
    ...(fields.type === 'response.output_text.delta' && { logprobs: [] }),
  } as ResponseEventBody;
}

function written(first: number, run: (sequence: EventSequence) => void): SerializedEvent[] {
  const events: SerializedEvent[] = [];
  run(new EventSequence((event) => events.push(event), first));
  return events;
}

test('a delta is serialized in the order of its fields, and its length is that in UTF-8', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(text), sequenceNumber, (fields, texts, first) => {
      const events = written(first, (sequence) => texts.forEach((delta) => sequence.emit(deltaEvent(fields, delta))));
      expect(events.map(({ openJson }) => `${openJson}}`)).toEqual(
        texts.map((delta, at) => JSON.stringify({ ...deltaEvent(fields, delta), sequence_number: first + at })),
      );
      for (const { deltaBytes, openJson } of events) expect(deltaBytes).toBe(encoder.encode(`${openJson}}`).length);
    }),
  );
});

test('deltas and other events share one sequence of numbers', () => {
  const events = written(7, (sequence) => {
    const addText = (delta: string) =>
      sequence.emit({ type: 'response.refusal.delta', ...place, content_index: 0, delta });
    addText('a');
    sequence.emit({ type: 'response.refusal.done', ...place, content_index: 0, refusal: 'a' });
    addText('b');
  });
  expect(events.map((event) => event.sequenceNumber)).toEqual([7, 8, 9]);
  expect(events.map(({ openJson }) => JSON.parse(`${openJson}}`) as object)).toMatchObject([
    { delta: 'a', sequence_number: 7 },
    { refusal: 'a', sequence_number: 8 },
    { delta: 'b', sequence_number: 9 },
  ]);
});

test('a stored event is sent as it was when it was new', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), text, sequenceNumber, (fields, delta, first) => {
      const [event] = written(first, (sequence) => sequence.emit(deltaEvent(fields, delta)));
      expect(event && storedEvent(`${event.openJson}}`, first)).toEqual(event);
    }),
  );
});

/** The frames of deltas as a client reads them. */
function framesOf(texts: readonly string[], isObfuscated: boolean, logprobs: readonly object[] = []): string[] {
  let sent = '';
  const write = writeEventsTo({ write: (...pieces) => void (sent += pieces.join('')) }, isObfuscated);
  const sequence = new EventSequence(write);
  const [fields] = kinds;
  if (!fields) return [];
  for (const delta of texts) {
    sequence.emit({ ...deltaEvent(fields, delta), ...(logprobs.length > 0 && { logprobs }) } as ResponseEventBody);
  }
  return sent.split('\n\n').slice(0, -1);
}

test('a padded delta is valid JSON whose size is a multiple of 64 bytes', () => {
  fc.assert(
    fc.property(text, (delta) => {
      const [frame = ''] = framesOf([delta], true);
      const [name, data = ''] = frame.split('\ndata: ');
      expect(name).toBe('event: response.output_text.delta');
      const { obfuscation, ...event } = JSON.parse(data) as Record<string, unknown>;
      expect(event).toEqual({ ...deltaEvent(kinds[0] as DeltaFields, delta), sequence_number: 0 });
      expect(obfuscation).toMatch(/^[A-Za-z0-9]*$/);
      expect((encoder.encode(data).length - ',"obfuscation":""'.length) % 64).toBe(0);
    }),
  );
});

test('a delta with log probabilities is padded to a multiple of 1,024 bytes', () => {
  const logprobs = [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }];
  const [frame = ''] = framesOf(['a'], true, logprobs);
  const data = frame.split('\ndata: ')[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ delta: 'a', logprobs, sequence_number: 0 });
  expect((encoder.encode(data).length - ',"obfuscation":""'.length) % 1024).toBe(0);
});

test('a delta that is not padded has no such field', () => {
  const [frame = ''] = framesOf(['a'], false);
  expect(frame).toBe(
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":2,"item_id":"msg_1","content_index":1,"delta":"a","logprobs":[],"sequence_number":0}',
  );
});
