import { contract } from '@modelwire/schema';
import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { DONE } from '../../exchange/events.ts';
import type { EventStream, StreamEvent } from '../../exchange/events.ts';
import { parseJson } from '../../exchange/parse-json.ts';
import { mediaType } from '../../exchange/response.ts';
import { fieldsOf, hasKey, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertConforms } from '../../verdict.ts';
import { endReasons, forcedTool, longPrompt, promptTokens, streamMessage } from './send.ts';

const CREATE = 'messages.create';

interface StreamInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly fields?: object;
  readonly verify: (stream: EventStream) => void;
}

const stream = (name: string, { fields = {}, verify, ...init }: StreamInit): Check =>
  check(CREATE, `stream.${name}`, {
    section: 'companion',
    certainty: 'likely',
    ...init,
    run: async (context) => verify(await streamMessage(context, fields)),
  });

const assertStream = ({ response }: EventStream, condition: boolean, reason: string): void =>
  assertConforms(response, condition, reason);

const typeOf = ({ json }: StreamEvent): string => textAt(json, 'type') ?? '';
const ofType = ({ events }: EventStream, type: string): readonly StreamEvent[] =>
  events.filter((event) => typeOf(event) === type);
const blockEvents = ({ events }: EventStream): readonly StreamEvent[] =>
  events.filter((event) => typeOf(event).startsWith('content_block_'));

/** The texts of the deltas of a type. */
const deltas = (events: EventStream, type: string, field: string): readonly string[] =>
  ofType(events, 'content_block_delta')
    .filter(({ json }) => textAt(json, 'delta', 'type') === type)
    .map(({ json }) => textAt(json, 'delta', field) ?? '');

/** The types of events that are checked by the schema: others may follow in later versions. */
const knownTypes: ReadonlySet<string> = new Set(['content_block_stop', 'message_stop', 'content_block_delta']);

/** How a streamed message starts, continues and ends. */
export const messageStreamChecks: readonly Check[] = [
  stream('media-type', {
    title: 'A stream has the content type text/event-stream',
    verify: (events) =>
      assertStream(
        events,
        mediaType(events.response) === 'text/event-stream',
        `Its content-type is ${mediaType(events.response) || 'missing'}.`,
      ),
  }),
  stream('names', {
    title: 'Each event has the type of its data as its event field',
    weight: 3,
    verify(events) {
      assertStream(events, events.events.length > 0, 'There are no events.');
      const other = events.events.find((event) => typeOf(event) === '' || event.name !== typeOf(event));
      assertStream(
        events,
        other === undefined,
        `An event is '${other?.name ?? ''}': ${other?.data.slice(0, 100) ?? ''}`,
      );
    },
  }),
  stream('start', {
    title: 'The first event is message_start, with the message without content and the tokens of the prompt',
    weight: 3,
    verify(events) {
      const [first] = events.events;
      assertStream(events, first !== undefined && typeOf(first) === 'message_start', 'The first event is another.');
      const message = valueAt(first?.json, 'message');
      assertStream(events, textAt(message, 'role') === 'assistant', 'Its role is not assistant.');
      const { content } = fieldsOf(message);
      assertStream(events, Array.isArray(content) && content.length === 0, 'Its content is not an empty list.');
      assertStream(events, valueAt(message, 'stop_reason') === null, 'Its stop_reason is not null.');
      assertStream(events, promptTokens(message) > 0, 'Its prompt has no tokens.');
      assertStream(events, ofType(events, 'message_start').length === 1, 'It is sent more than once.');
    },
  }),
  stream('blocks', {
    title: 'Blocks start, grow and stop one after the other, with their index in the content',
    weight: 3,
    verify(events) {
      const received = blockEvents(events);
      assertStream(events, received.length > 0, 'There are no blocks.');
      let index = 0;
      let isOpen = false;
      for (const event of received) {
        assertStream(events, numberAt(event.json, 'index') === index, `An index is not ${index}.`);
        const isStart = typeOf(event) === 'content_block_start';
        assertStream(events, isOpen !== isStart, isStart ? 'A block starts in another.' : 'A block did not start.');
        isOpen = typeOf(event) !== 'content_block_stop';
        if (!isOpen) index++;
      }
      assertStream(events, !isOpen, 'The last block does not stop.');
    },
  }),
  stream('deltas', {
    title: 'Each event of a block and the last event have their documented form',
    fields: longPrompt,
    verify(events) {
      const { event: schema } = contract[CREATE];
      const known = events.events.filter((event) => knownTypes.has(typeOf(event)));
      assertStream(events, known.length > 0, 'There are none.');
      const invalid = known.find(({ json }) => schema?.safeParse(json).success === false);
      assertStream(events, invalid === undefined, `One has another form: ${invalid?.data.slice(0, 200) ?? ''}`);
    },
  }),
  stream('text', {
    title: 'The deltas add up to a text in several pieces',
    fields: longPrompt,
    weight: 3,
    verify(events) {
      const pieces = deltas(events, 'text_delta', 'text').filter((piece) => piece !== '');
      assertStream(events, pieces.length > 0, 'There is no text.');
      assertStream(events, pieces.length > 1, 'The whole text is in one delta.');
    },
  }),
  stream('tool', {
    title: 'The input of a call is streamed as JSON of an object',
    fields: forcedTool,
    weight: 3,
    verify(events) {
      const start = ofType(events, 'content_block_start').find(
        ({ json }) => textAt(json, 'content_block', 'type') === 'tool_use',
      );
      assertStream(events, start !== undefined, 'No tool was called.');
      const block = valueAt(start?.json, 'content_block');
      assertStream(events, textAt(block, 'name') === 'weather' && hasKey(block, 'id'), 'The call has no name or ID.');
      const input = deltas(events, 'input_json_delta', 'partial_json').join('');
      const { city } = fieldsOf(parseJson(input));
      assertStream(events, typeof city === 'string', `The input is ${input.slice(0, 100)}`);
    },
  }),
  stream('delta', {
    title: 'message_delta follows the blocks, with the reason of the end and the tokens of the reply',
    weight: 3,
    verify(events) {
      const [delta, ...others] = ofType(events, 'message_delta');
      assertStream(events, delta !== undefined, 'There is none.');
      assertStream(events, others.length === 0, 'There are several.');
      const reason = textAt(delta?.json, 'delta', 'stop_reason');
      assertStream(events, endReasons.has(reason), `The reason is '${reason ?? ''}'.`);
      assertStream(events, (numberAt(delta?.json, 'usage', 'output_tokens') ?? 0) > 0, 'It has no output_tokens.');
      assertStream(events, events.events.at(-2) === delta, 'It does not precede the last event.');
    },
  }),
  stream('stop', {
    title: 'The last event is message_stop, without [DONE]',
    weight: 3,
    verify(events) {
      const last = events.events.at(-1);
      assertStream(events, last?.data !== DONE, 'The last event is [DONE].');
      assertStream(events, last !== undefined && typeOf(last) === 'message_stop', 'The last event is another.');
      assertStream(events, ofType(events, 'message_stop').length === 1, 'It is sent more than once.');
    },
  }),
  stream('max-tokens', {
    title: 'A stream limited by max_tokens ends with stop_reason max_tokens',
    fields: { ...longPrompt, max_tokens: 3 },
    verify: (events) =>
      assertStream(
        events,
        ofType(events, 'message_delta').some(({ json }) => textAt(json, 'delta', 'stop_reason') === 'max_tokens'),
        'No stop_reason is max_tokens.',
      ),
  }),
];
