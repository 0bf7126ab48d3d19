import { responseStreamEventSchema, problemOf } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { mediaTypeOf } from '../../exchange/answer.ts';
import { DONE } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { has, listAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertConforms, Skip } from '../../verdict.ts';
import { askResponse, askResponseStream, forcedToolRequest, itemsOf, textOf } from './ask.ts';

const CREATE = 'responses.create';
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

interface StreamInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly fields?: object;
  readonly look: (stream: EventStream) => void;
}

const stream = (name: string, { fields = {}, look, ...init }: StreamInit): Check =>
  check(CREATE, `stream.${name}`, {
    certainty: 'likely',
    ...init,
    section: 'companion',
    run: async (world) => look(await askResponseStream(world, fields)),
  });

const typesOf = ({ chunks }: EventStream): readonly string[] => chunks.map(({ json }) => textAt(json, 'type') ?? '');

const ofType = ({ chunks }: EventStream, ...types: readonly string[]): readonly unknown[] =>
  chunks.map(({ json }) => json).filter((json) => types.includes(textAt(json, 'type') ?? ''));

const lastResponse = (given: EventStream): unknown => valueAt(ofType(given, ...ENDS).at(-1), 'response');

const isKnown = new Set(
  responseStreamEventSchema.options.flatMap((option) => [...(option._zod.propValues['type'] ?? [])]),
);

const joined = (events: readonly unknown[]): string => events.map((event) => textAt(event, 'delta') ?? '').join('');

/** Throws unless the events of one item have these types in this order; any number of the delta. */
function hasOrder(given: EventStream, item: string, delta: string, order: readonly string[]): void {
  const id = textAt(
    ofType(given, 'response.output_item.added').find((event) => textAt(event, 'item', 'type') === item),
    'item',
    'id',
  );
  assertConforms(given.answer, id !== undefined, `No ${item} with an ID was added.`);
  const own = given.chunks
    .map(({ json }) => json)
    .filter((json) => textAt(json, 'item_id') === id || textAt(json, 'item', 'id') === id)
    .map((json) => (textAt(json, 'type') ?? '').replace('response.', ''));
  const found = own.filter((type, index) => type !== delta || own[index - 1] !== delta);
  assertConforms(given.answer, found.join() === order.join(), `The events of the ${item} are ${found.join(', ')}.`, `Send ${order.join(', ')}.`); // prettier-ignore
}

/** How a stream of events starts, continues and ends. */
export const responseStreamChecks: readonly Check[] = [
  stream('media-type', {
    title: 'A stream has the content type text/event-stream',
    look({ answer }) {
      const type = mediaTypeOf(answer);
      assertConforms(answer, type === 'text/event-stream', `Its content-type is ${type || 'missing'}.`);
    },
  }),
  stream('names', {
    title: 'The event field of each event is the type in its data',
    weight: 3,
    look({ answer, chunks }) {
      assertConforms(answer, chunks.length > 0, 'There are no events.');
      const odd = chunks.find(({ name, json }) => name === undefined || name !== textAt(json, 'type'));
      assertConforms(answer, odd === undefined, `An event has ${odd?.name ?? 'no event field'}, its data ${odd?.data.slice(0, 100) ?? ''}`); // prettier-ignore
    },
  }),
  stream('sequence', {
    title: 'Sequence numbers start at 0 and increase by one',
    weight: 3,
    look({ answer, chunks }) {
      const numbers = chunks.map(({ json }) => valueAt(json, 'sequence_number'));
      const right = numbers.length > 0 && numbers.every((number, index) => number === index);
      assertConforms(answer, right, `They are ${numbers.slice(0, 20).join(', ')}.`);
    },
  }),
  stream('form', {
    title: 'Each event has its documented form',
    weight: 3,
    look({ answer, chunks }) {
      for (const { json } of chunks) {
        if (!isKnown.has(textAt(json, 'type') ?? '')) continue;
        const { error } = responseStreamEventSchema.safeParse(json);
        assertConforms(answer, !error, `${textAt(json, 'type') ?? ''}: ${error ? problemOf(error, json).message.replace('the request body', 'the event') : ''}`); // prettier-ignore
      }
    },
  }),
  stream('known', {
    title: 'Each event has a documented type',
    expectation: "The accumulators of official SDKs throw on unknown types, except for 'keepalive'.",
    look(given) {
      const odd = typesOf(given).find((type) => !isKnown.has(type) && type !== 'keepalive');
      assertConforms(given.answer, odd === undefined, `An event has the type '${odd ?? ''}'.`);
    },
  }),
  stream('begin', {
    title: 'A stream begins with response.created and response.in_progress, without output',
    weight: 3,
    look(given) {
      const [first, second] = typesOf(given);
      assertConforms(given.answer, first === 'response.created', `The first event is ${first ?? 'missing'}.`);
      assertConforms(given.answer, second === 'response.in_progress', `The second event is ${second ?? 'missing'}.`);
      const response = valueAt(given.chunks[0]?.json, 'response');
      assertConforms(given.answer, textAt(response, 'status') === 'in_progress', 'Its status is not in_progress.');
      assertConforms(given.answer, listAt(response, 'output').length === 0, 'Its output is not empty.');
    },
  }),
  stream('end', {
    title: 'The last event is response.completed, the only one that ends the response',
    weight: 3,
    look(given) {
      const types = typesOf(given);
      const last = types.at(-1);
      assertConforms(given.answer, last === 'response.completed', `The last event is ${last ?? 'missing'}.`, 'Codex and the agents SDKs wait for response.completed.'); // prettier-ignore
      const count = types.filter((type) => ENDS.includes(type)).length;
      assertConforms(given.answer, count === 1, `${count} events end the response.`);
    },
  }),
  stream('done', {
    title: 'Nothing follows the last event except [DONE]',
    weight: 1,
    look({ answer, events, rest }) {
      const at = events.findIndex(({ data }) => data === DONE);
      assertConforms(answer, at === -1 || at === events.length - 1, 'Events follow [DONE].');
      assertConforms(answer, rest.trim() === '', 'The last event has no blank line after it.');
    },
  }),
  stream('one-id', {
    title: 'All events with a response have the same ID of the response',
    weight: 3,
    look({ answer, chunks }) {
      const ids = new Set(
        chunks.filter(({ json }) => has(json, 'response')).map(({ json }) => textAt(json, 'response', 'id')),
      );
      assertConforms(answer, ids.size === 1 && !ids.has(undefined), `They have ${ids.size} IDs.`);
    },
  }),
  stream('result', {
    title: 'The last event has the whole output and the usage',
    weight: 3,
    look(given) {
      const response = lastResponse(given);
      assertConforms(given.answer, textOf(response) !== '', 'Its output has no text.');
      assertConforms(given.answer, valueAt(response, 'usage', 'output_tokens') !== undefined, 'It has no usage.');
    },
  }),
  stream('text', {
    title: 'The deltas together are the text of the done event and of the output',
    weight: 3,
    look(given) {
      const text = joined(ofType(given, 'response.output_text.delta'));
      const [done] = ofType(given, 'response.output_text.done');
      assertConforms(given.answer, text !== '', 'There is no response.output_text.delta.');
      assertConforms(given.answer, textAt(done, 'text') === text, 'response.output_text.done has another text.');
      assertConforms(given.answer, textOf(lastResponse(given)) === text, 'The output has another text.');
    },
  }),
  stream('message-order', {
    title: 'The events of a message are in their order: item added, part added, deltas, text, part and item done',
    weight: 3,
    look: (given) =>
      hasOrder(given, 'message', 'output_text.delta', [
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
    look: (given) =>
      hasOrder(given, 'function_call', 'function_call_arguments.delta', [
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
    look(given) {
      const text = joined(ofType(given, 'response.function_call_arguments.delta'));
      const [done] = ofType(given, 'response.function_call_arguments.done');
      const [call] = itemsOf(lastResponse(given), 'function_call');
      assertConforms(given.answer, text !== '' && textAt(done, 'arguments') === text, 'The done event has others.');
      assertConforms(given.answer, textAt(done, 'name') === 'weather', 'The done event does not name the function.');
      assertConforms(given.answer, textAt(call, 'arguments') === text, 'The output has others.');
    },
  }),
  stream('items', {
    title: 'Each item is added at the next output_index, and done before the next one is added',
    weight: 3,
    fields: forcedToolRequest,
    look(given) {
      let open: string | undefined;
      let next = 0;
      for (const event of ofType(given, 'response.output_item.added', 'response.output_item.done')) {
        const id = textAt(event, 'item', 'id');
        const isNew = textAt(event, 'type') === 'response.output_item.added';
        const index = valueAt(event, 'output_index');
        const right = isNew
          ? open === undefined && index === next
          : id !== undefined && id === open && index === next - 1;
        assertConforms(given.answer, right, `${textAt(event, 'type') ?? ''} of ${id ?? 'an item without an ID'} has the output_index ${String(index)}.`); // prettier-ignore
        open = isNew ? id : undefined;
        if (isNew) next++;
      }
      assertConforms(given.answer, next > 0 && open === undefined, 'An item is not done, or none was added.');
    },
  }),
  stream('output', {
    title: 'The items that were done are the output',
    weight: 2,
    fields: forcedToolRequest,
    look(given) {
      const ids = (items: readonly unknown[]): string => items.map((item) => textAt(item, 'id') ?? '?').join();
      const done = ids(ofType(given, 'response.output_item.done').map((event) => valueAt(event, 'item')));
      const output = ids(listAt(lastResponse(given), 'output'));
      assertConforms(given.answer, done === output && done !== '', `Done were ${done}; the output is ${output}.`);
    },
  }),
  stream('logprobs', {
    title: 'Text deltas have logprobs, an empty list where none were asked for',
    weight: 1,
    look(given) {
      const deltas = ofType(given, 'response.output_text.delta');
      const right = deltas.length > 0 && deltas.every((event) => Array.isArray(valueAt(event, 'logprobs')));
      assertConforms(given.answer, right, 'logprobs is missing.');
    },
  }),
  stream('obfuscation', {
    title: 'Deltas are padded by obfuscation',
    weight: 1,
    look(given) {
      const has = ofType(given, 'response.output_text.delta').some((event) => textAt(event, 'obfuscation') !== undefined); // prettier-ignore
      assertConforms(given.answer, has, 'No delta has obfuscation.');
    },
  }),
  stream('no-obfuscation', {
    title: 'include_obfuscation false turns the padding off',
    weight: 1,
    fields: { stream_options: { include_obfuscation: false } },
    look(given) {
      const padded = given.chunks.some(({ json }) => has(json, 'obfuscation'));
      assertConforms(given.answer, !padded, 'Events have obfuscation.');
    },
  }),
  stream('incomplete', {
    title: 'A stream that reaches max_output_tokens ends with response.incomplete',
    weight: 2,
    fields: { input: 'Tell me at length about rivers.', max_output_tokens: 16 },
    look(given) {
      const last = typesOf(given).at(-1);
      assertConforms(given.answer, last === 'response.incomplete', `The last event is ${last ?? 'missing'}.`);
    },
  }),
  check(CREATE, 'stream.refusal', {
    title: 'An invalid stream request is rejected with a status, not within a stream',
    section: 'companion',
    certainty: 'likely',
    weight: 1,
    async run(world) {
      const answer = await askResponse(world, { stream: true, temperature: 3 });
      if (answer.status === 200 && mediaTypeOf(answer) !== 'text/event-stream') throw new Skip('it is not rejected');
      assertConforms(answer, answer.status >= 400, `The response has status ${answer.status}.`);
      assertConforms(answer, mediaTypeOf(answer) === 'application/json', 'The error is not JSON.');
    },
  }),
];
