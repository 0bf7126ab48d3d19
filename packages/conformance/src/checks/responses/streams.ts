import { contract, problemOf } from '@modelwire/schema';
import { responseStreamEventTypes } from '@modelwire/schema/internal';
import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { mediaType } from '../../exchange/response.ts';
import { DONE } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { describeValue, hasKey, listAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertClientError, assertConforms, Skip } from '../../verdict.ts';
import { sendResponseRequest, sendResponseStream, forcedToolRequest, outputItems, outputText } from './send.ts';

const CREATE = 'responses.create';
const TERMINAL_EVENTS = ['response.completed', 'response.incomplete', 'response.failed'];

interface StreamInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly fields?: object;
  readonly verify: (stream: EventStream) => void;
}

const stream = (name: string, { fields = {}, verify, ...init }: StreamInit): Check =>
  check(CREATE, `stream.${name}`, {
    certainty: 'likely',
    ...init,
    section: 'companion',
    run: async (context) => verify(await sendResponseStream(context, fields)),
  });

const eventTypes = ({ chunks }: EventStream): readonly string[] => chunks.map(({ json }) => textAt(json, 'type') ?? '');

const eventsOfType = ({ chunks }: EventStream, ...types: readonly string[]): readonly unknown[] =>
  chunks.map(({ json }) => json).filter((json) => types.includes(textAt(json, 'type') ?? ''));

const lastResponse = (eventStream: EventStream): unknown =>
  valueAt(eventsOfType(eventStream, ...TERMINAL_EVENTS).at(-1), 'response');

const joinDeltas = (events: readonly unknown[]): string => events.map((event) => textAt(event, 'delta') ?? '').join('');

/** Throws unless the events of one item have these types in this order; any number of the delta. */
function assertOrder(eventStream: EventStream, item: string, delta: string, order: readonly string[]): void {
  const id = textAt(
    eventsOfType(eventStream, 'response.output_item.added').find((event) => textAt(event, 'item', 'type') === item),
    'item',
    'id',
  );
  assertConforms(eventStream.response, id !== undefined, `No ${item} with an ID was added.`);
  const itemEvents = eventStream.chunks
    .map(({ json }) => json)
    .filter((json) => textAt(json, 'item_id') === id || textAt(json, 'item', 'id') === id)
    .map((json) => (textAt(json, 'type') ?? '').replace('response.', ''));
  const actualOrder = itemEvents.filter((type, index) => type !== delta || itemEvents[index - 1] !== delta);
  assertConforms(
    eventStream.response,
    actualOrder.join() === order.join(),
    `The events of the ${item} are ${actualOrder.join(', ')}.`,
    `Send ${order.join(', ')}.`,
  );
}

/** How a stream of events starts, continues and ends. */
export const responseStreamChecks: readonly Check[] = [
  stream('media-type', {
    title: 'A stream has the content type text/event-stream',
    verify({ response }) {
      const type = mediaType(response);
      assertConforms(response, type === 'text/event-stream', `Its content-type is ${type || 'missing'}.`);
    },
  }),
  stream('names', {
    title: 'The event field of each event is the type in its data',
    weight: 3,
    verify({ response, chunks }) {
      assertConforms(response, chunks.length > 0, 'There are no events.');
      const invalid = chunks.find(({ name, json }) => name === undefined || name !== textAt(json, 'type'));
      assertConforms(
        response,
        invalid === undefined,
        `An event has ${invalid?.name ?? 'no event field'}, its data ${invalid?.data.slice(0, 100) ?? ''}`,
      );
    },
  }),
  stream('sequence', {
    title: 'Sequence numbers start at 0 and increase by one',
    weight: 3,
    verify({ response, chunks }) {
      const numbers = chunks.map(({ json }) => valueAt(json, 'sequence_number'));
      const isExpected = numbers.length > 0 && numbers.every((number, index) => number === index);
      assertConforms(response, isExpected, `They are ${numbers.slice(0, 20).join(', ')}.`);
    },
  }),
  stream('form', {
    title: 'Each event has its documented form',
    weight: 3,
    verify({ response, chunks }) {
      for (const { json } of chunks) {
        if (!responseStreamEventTypes.has(textAt(json, 'type') ?? '')) continue;
        const error = contract['responses.create'].event?.safeParse(json).error;
        assertConforms(
          response,
          !error,
          `${textAt(json, 'type') ?? ''}: ${error ? problemOf(error, json).message.replace('the request body', 'the event') : ''}`,
        );
      }
    },
  }),
  stream('known', {
    title: 'Each event has a documented type',
    expectation: "The accumulators of official SDKs throw on unknown types, except for 'keepalive'.",
    verify(eventStream) {
      const invalid = eventTypes(eventStream).find(
        (type) => !responseStreamEventTypes.has(type) && type !== 'keepalive',
      );
      assertConforms(eventStream.response, invalid === undefined, `An event has the type '${invalid ?? ''}'.`);
    },
  }),
  stream('begin', {
    title: 'A stream begins with response.created and response.in_progress, without output',
    weight: 3,
    verify(eventStream) {
      const [first, second] = eventTypes(eventStream);
      assertConforms(eventStream.response, first === 'response.created', `The first event is ${first ?? 'missing'}.`);
      assertConforms(
        eventStream.response,
        second === 'response.in_progress',
        `The second event is ${second ?? 'missing'}.`,
      );
      const responseObject = valueAt(eventStream.chunks[0]?.json, 'response');
      assertConforms(
        eventStream.response,
        textAt(responseObject, 'status') === 'in_progress',
        'Its status is not in_progress.',
      );
      assertConforms(eventStream.response, listAt(responseObject, 'output').length === 0, 'Its output is not empty.');
    },
  }),
  stream('end', {
    title: 'The last event is response.completed, the only one that ends the response',
    weight: 3,
    verify(eventStream) {
      const types = eventTypes(eventStream);
      const last = types.at(-1);
      assertConforms(
        eventStream.response,
        last === 'response.completed',
        `The last event is ${last ?? 'missing'}.`,
        'Codex and the agents SDKs wait for response.completed.',
      );
      const count = types.filter((type) => TERMINAL_EVENTS.includes(type)).length;
      assertConforms(eventStream.response, count === 1, `${count} events end the response.`);
    },
  }),
  stream('done', {
    title: 'Nothing follows the last event except [DONE]',
    weight: 1,
    verify({ response, events, trailing: rest }) {
      const at = events.findIndex(({ data }) => data === DONE);
      assertConforms(response, at === -1 || at === events.length - 1, 'Events follow [DONE].');
      assertConforms(response, rest.trim() === '', 'The last event has no blank line after it.');
    },
  }),
  stream('one-id', {
    title: 'All events with a response have the same ID of the response',
    weight: 3,
    verify({ response, chunks }) {
      const ids = new Set(
        chunks.filter(({ json }) => hasKey(json, 'response')).map(({ json }) => textAt(json, 'response', 'id')),
      );
      assertConforms(response, ids.size === 1 && !ids.has(undefined), `They have ${ids.size} IDs.`);
    },
  }),
  stream('result', {
    title: 'The last event has the whole output and the usage',
    weight: 3,
    verify(eventStream) {
      const responseObject = lastResponse(eventStream);
      assertConforms(eventStream.response, outputText(responseObject) !== '', 'Its output has no text.');
      assertConforms(
        eventStream.response,
        valueAt(responseObject, 'usage', 'output_tokens') !== undefined,
        'It has no usage.',
      );
    },
  }),
  stream('text', {
    title: 'The deltas together are the text of the done event and of the output',
    weight: 3,
    verify(eventStream) {
      const text = joinDeltas(eventsOfType(eventStream, 'response.output_text.delta'));
      const [done] = eventsOfType(eventStream, 'response.output_text.done');
      assertConforms(eventStream.response, text !== '', 'There is no response.output_text.delta.');
      assertConforms(
        eventStream.response,
        textAt(done, 'text') === text,
        'response.output_text.done has another text.',
      );
      assertConforms(
        eventStream.response,
        outputText(lastResponse(eventStream)) === text,
        'The output has another text.',
      );
    },
  }),
  stream('message-order', {
    title: 'The events of a message are in their order: item added, part added, deltas, text, part and item done',
    weight: 3,
    verify: (eventStream) =>
      assertOrder(eventStream, 'message', 'output_text.delta', [
        'output_item.added',
        'content_part.added',
        'output_text.delta',
        'output_text.done',
        'content_part.done',
        'output_item.done',
      ]),
  }),
  stream('call-order', {
    title: 'The events of a function call are in their order: item added, deltas, arguments and item done',
    weight: 3,
    fields: forcedToolRequest,
    verify: (eventStream) =>
      assertOrder(eventStream, 'function_call', 'function_call_arguments.delta', [
        'output_item.added',
        'function_call_arguments.delta',
        'function_call_arguments.done',
        'output_item.done',
      ]),
  }),
  stream('call', {
    title: 'The deltas of a function call together are its arguments',
    weight: 3,
    fields: forcedToolRequest,
    verify(eventStream) {
      const text = joinDeltas(eventsOfType(eventStream, 'response.function_call_arguments.delta'));
      const [done] = eventsOfType(eventStream, 'response.function_call_arguments.done');
      const [call] = outputItems(lastResponse(eventStream), 'function_call');
      assertConforms(
        eventStream.response,
        text !== '' && textAt(done, 'arguments') === text,
        'The done event has others.',
      );
      assertConforms(
        eventStream.response,
        textAt(done, 'name') === 'weather',
        'The done event does not name the function.',
      );
      assertConforms(eventStream.response, textAt(call, 'arguments') === text, 'The output has others.');
    },
  }),
  stream('items', {
    title: 'Each item is added at the next output_index, and done before the next one is added',
    weight: 3,
    fields: forcedToolRequest,
    verify(eventStream) {
      let open: string | undefined;
      let next = 0;
      for (const event of eventsOfType(eventStream, 'response.output_item.added', 'response.output_item.done')) {
        const id = textAt(event, 'item', 'id');
        const isNew = textAt(event, 'type') === 'response.output_item.added';
        const index = valueAt(event, 'output_index');
        const isExpected = isNew
          ? open === undefined && index === next
          : id !== undefined && id === open && index === next - 1;
        assertConforms(
          eventStream.response,
          isExpected,
          `${textAt(event, 'type') ?? ''} of ${id ?? 'an item without an ID'} has the output_index ${describeValue(index)}.`,
        );
        open = isNew ? id : undefined;
        if (isNew) next++;
      }
      assertConforms(eventStream.response, next > 0 && open === undefined, 'An item is not done, or none was added.');
    },
  }),
  stream('output', {
    title: 'The items that were done are the output',
    weight: 2,
    fields: forcedToolRequest,
    verify(eventStream) {
      const ids = (items: readonly unknown[]): string => items.map((item) => textAt(item, 'id') ?? '?').join();
      const done = ids(eventsOfType(eventStream, 'response.output_item.done').map((event) => valueAt(event, 'item')));
      const output = ids(listAt(lastResponse(eventStream), 'output'));
      assertConforms(
        eventStream.response,
        done === output && done !== '',
        `Done were ${done}; the output is ${output}.`,
      );
    },
  }),
  stream('logprobs', {
    title: 'Text deltas have logprobs, an empty list where none were asked for',
    weight: 1,
    verify(eventStream) {
      const deltas = eventsOfType(eventStream, 'response.output_text.delta');
      const isExpected = deltas.length > 0 && deltas.every((event) => Array.isArray(valueAt(event, 'logprobs')));
      assertConforms(eventStream.response, isExpected, 'logprobs is missing.');
    },
  }),
  stream('obfuscation', {
    title: 'Deltas are padded by obfuscation',
    weight: 1,
    verify(eventStream) {
      const has = eventsOfType(eventStream, 'response.output_text.delta').some(
        (event) => textAt(event, 'obfuscation') !== undefined,
      );
      assertConforms(eventStream.response, has, 'No delta has obfuscation.');
    },
  }),
  stream('no-obfuscation', {
    title: 'include_obfuscation false turns the padding off',
    weight: 1,
    fields: { stream_options: { include_obfuscation: false } },
    verify(eventStream) {
      const withObfuscation = eventStream.chunks.some(({ json }) => hasKey(json, 'obfuscation'));
      assertConforms(eventStream.response, !withObfuscation, 'Events have obfuscation.');
    },
  }),
  stream('incomplete', {
    title: 'A stream that reaches max_output_tokens ends with response.incomplete',
    weight: 2,
    fields: { input: 'Tell me at length about rivers.', max_output_tokens: 16 },
    verify(eventStream) {
      const last = eventTypes(eventStream).at(-1);
      assertConforms(eventStream.response, last === 'response.incomplete', `The last event is ${last ?? 'missing'}.`);
    },
  }),
  check(CREATE, 'stream.refusal', {
    title: 'An invalid stream request is rejected with a status, not within a stream',
    section: 'companion',
    certainty: 'likely',
    weight: 1,
    async run(context) {
      const response = await sendResponseRequest(context, { stream: true, temperature: 3 });
      if (response.status === 200 && mediaType(response) !== 'text/event-stream') throw new Skip('it is not rejected');
      assertClientError(response);
      assertConforms(response, mediaType(response) === 'application/json', 'The error is not JSON.');
    },
  }),
];
