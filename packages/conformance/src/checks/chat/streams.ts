import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { mediaType } from '../../exchange/response.ts';
import { DONE } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { hasKey, listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import type { RunContext } from '../../context/run-context.ts';
import { sendChatStream } from './send.ts';
import { FINISHES } from './non-streaming.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const EVENTS = 'Events';
const CHUNK = 'Chat completion chunk object';
const OPTIONS = 'Create chat completion';

const usage = { stream_options: { include_usage: true } };
const longChat = { messages: [{ role: 'user', content: 'Tell me about rivers.' }] };

interface StreamInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly section?: string;
  readonly fields?: object;
  readonly verify: (stream: EventStream, context: RunContext) => unknown;
}

const stream = (name: string, { section = EVENTS, fields = {}, verify, ...init }: StreamInit): Check =>
  check(CREATE, `stream.${name}`, {
    section,
    ...init,
    run: async (context) => {
      await verify(await sendChatStream(context, fields), context);
    },
  });

const assertStream = (eventStream: EventStream, condition: boolean, reason: string, fix?: string): void =>
  assertConforms(eventStream.response, condition, reason, fix);

/** The values of a field in all chunks that are valid JSON. */
const chunkValues = ({ chunks }: EventStream, ...path: PropertyKey[]): readonly unknown[] =>
  chunks.map(({ json }) => valueAt(json, ...path));

const streamChoices = ({ chunks }: EventStream): readonly unknown[] =>
  chunks.flatMap(({ json }) => listAt(json, 'choices'));

/** How a stream starts, continues and ends. */
export const streamChecks: readonly Check[] = [
  stream('media-type', {
    title: 'A stream has the content type text/event-stream',
    verify: (eventStream) =>
      assertStream(
        eventStream,
        mediaType(eventStream.response) === 'text/event-stream',
        `Its content-type is ${mediaType(eventStream.response) || 'missing'}.`,
      ),
  }),
  stream('data-only', {
    title: 'Each event has only data fields',
    verify(eventStream) {
      assertStream(eventStream, eventStream.events.length > 0, 'There are no events.');
      const others = new Set(eventStream.events.flatMap((event) => event.otherFields));
      assertStream(eventStream, others.size === 0, `Events have ${[...others].join(', ').slice(0, 100)} besides data.`);
    },
  }),
  stream('json', {
    title: 'Each event except the last is one JSON object',
    weight: 3,
    verify(eventStream) {
      assertStream(eventStream, eventStream.chunks.length > 0, 'There are no chunks.');
      const invalid = eventStream.chunks.find(({ json }) => typeof json !== 'object' || json === null);
      assertStream(
        eventStream,
        invalid === undefined,
        `An event is not a JSON object: ${invalid?.data.slice(0, 100) ?? ''}`,
      );
    },
  }),
  stream('done', {
    title: 'A stream ends with data: [DONE]',
    weight: 3,
    verify: (eventStream) =>
      assertStream(
        eventStream,
        eventStream.events.at(-1)?.data === DONE,
        'The last event is not [DONE].',
        "Send 'data: [DONE]' and an empty line at the end of every stream.",
      ),
  }),
  stream('done-once', {
    title: '[DONE] is sent once, as the last event',
    verify(eventStream) {
      const at = eventStream.events.findIndex(({ data }) => data === DONE);
      assertStream(eventStream, at !== -1, 'There is no [DONE].');
      assertStream(
        eventStream,
        at === eventStream.events.length - 1,
        `${eventStream.events.length - 1 - at} events follow the first [DONE].`,
      );
      assertStream(eventStream, eventStream.trailing.trim() === '', 'Something follows [DONE].');
    },
  }),
  stream('object', {
    section: CHUNK,
    title: 'The object of each chunk is chat.completion.chunk',
    verify: (eventStream) =>
      assertStream(
        eventStream,
        chunkValues(eventStream, 'object').every((value) => value === 'chat.completion.chunk'),
        'Some chunks have another object.',
      ),
  }),
  stream('one-id', {
    section: CHUNK,
    title: 'All chunks of a stream have the same ID',
    weight: 3,
    verify(eventStream) {
      const ids = new Set(chunkValues(eventStream, 'id'));
      assertStream(
        eventStream,
        ids.size === 1 && !ids.has(undefined),
        `They have ${ids.size} IDs.`,
        'Create the ID before the first chunk and use it for all.',
      );
    },
  }),
  stream('own-id', {
    section: CHUNK,
    title: 'Each stream has a unique ID',
    async verify(eventStream, context) {
      const other = await sendChatStream(context, usage);
      assertStream(
        eventStream,
        textAt(eventStream.chunks[0]?.json, 'id') !== textAt(other.chunks[0]?.json, 'id'),
        'Two streams have the same ID.',
      );
    },
  }),
  stream('one-created', {
    section: CHUNK,
    title: 'All chunks of a stream have the same created, in seconds',
    verify(eventStream) {
      const times = [...new Set(chunkValues(eventStream, 'created'))];
      assertStream(eventStream, times.length === 1, `They have ${times.length} times.`);
      const [time] = times;
      assertStream(
        eventStream,
        typeof time === 'number' && Math.abs(time - Date.now() / 1000) < 86_400,
        'created is not close to the current time in seconds.',
      );
    },
  }),
  stream('first-role', {
    section: CHUNK,
    title: 'The first delta has the role assistant',
    certainty: 'likely',
    verify: (eventStream) =>
      assertStream(
        eventStream,
        textAt(eventStream.chunks[0]?.json, 'choices', 0, 'delta', 'role') === 'assistant',
        "The first delta's role is not assistant.",
        'Begin each choice with delta {"role": "assistant", "content": ""}.',
      ),
  }),
  stream('role-once', {
    section: CHUNK,
    title: 'The role is sent once',
    certainty: 'opinion',
    weight: 1,
    verify: (eventStream) =>
      assertStream(
        eventStream,
        streamChoices(eventStream).filter((choice) => hasKey(valueAt(choice, 'delta'), 'role')).length === 1,
        'It is sent more than once.',
      ),
  }),
  stream('text', {
    section: CHUNK,
    title: 'The deltas add up to a text in several pieces',
    fields: longChat,
    weight: 3,
    verify(eventStream) {
      const pieces = streamChoices(eventStream)
        .flatMap((choice) => textAt(choice, 'delta', 'content') ?? [])
        .filter((piece) => piece !== '');
      assertStream(eventStream, pieces.length > 0, 'There is no content.');
      assertStream(eventStream, pieces.length > 1, 'The whole text is in one delta.');
    },
  }),
  stream('finish', {
    section: CHUNK,
    title: 'finish_reason is null until the last chunk of a choice, which has the reason',
    weight: 3,
    verify(eventStream) {
      const choices = streamChoices(eventStream);
      const reasons = choices.map((choice) => textAt(choice, 'finish_reason')).filter((reason) => reason !== undefined);
      assertStream(eventStream, reasons.length === 1, `There are ${reasons.length} finish reasons.`);
      assertStream(eventStream, FINISHES.has(reasons[0] ?? ''), `The finish_reason is '${reasons[0] ?? ''}'.`);
      assertStream(
        eventStream,
        textAt(choices.at(-1), 'finish_reason') !== undefined,
        'The choice continues after its finish_reason.',
      );
    },
  }),
  stream('finish-null', {
    section: CHUNK,
    title: 'Every chunk of a choice has finish_reason, null until the last',
    weight: 1,
    verify: (eventStream) =>
      assertStream(
        eventStream,
        streamChoices(eventStream).every((choice) => hasKey(choice, 'finish_reason')),
        'finish_reason is missing from a choice.',
      ),
  }),
  stream('last-delta', {
    section: CHUNK,
    title: 'The chunk with finish_reason has an empty delta',
    certainty: 'likely',
    weight: 1,
    verify(eventStream) {
      const last = streamChoices(eventStream).find((choice) => textAt(choice, 'finish_reason') !== undefined);
      const { content, tool_calls } = choiceDelta(last);
      assertStream(eventStream, (content ?? '') === '' && tool_calls === undefined, 'Its delta is not empty.');
    },
  }),
  stream('usage', {
    section: OPTIONS,
    title: 'With include_usage, a chunk with usage and no choices precedes [DONE]',
    fields: usage,
    weight: 3,
    verify(eventStream) {
      const last = eventStream.chunks.at(-1)?.json;
      const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((field) =>
        numberAt(last, 'usage', field),
      );
      assertStream(
        eventStream,
        Array.isArray(valueAt(last, 'choices')) && listAt(last, 'choices').length === 0,
        'The choices of the last chunk are not an empty list.',
      );
      const [prompt = NaN, completion = NaN, total = NaN] = counts;
      assertStream(eventStream, total === prompt + completion, `Its usage is ${counts.map(String).join(', ')}.`);
    },
  }),
  stream('usage-null', {
    section: OPTIONS,
    title: 'With include_usage, the other chunks have usage null',
    fields: usage,
    verify: (eventStream) =>
      assertStream(
        eventStream,
        eventStream.chunks.slice(0, -1).every(({ json }) => hasKey(json, 'usage') && valueAt(json, 'usage') === null),
        'A chunk before the last has no usage field, or one that is not null.',
        'Send usage: null in every chunk except the last.',
      ),
  }),
  stream('no-usage', {
    section: CHUNK,
    title: 'Without include_usage no chunk has usage',
    verify: (eventStream) =>
      assertStream(
        eventStream,
        eventStream.chunks.every(({ json }) => (valueAt(json, 'usage') ?? null) === null),
        'A chunk has usage although it was not requested.',
      ),
  }),
  stream('obfuscation', {
    section: OPTIONS,
    title: 'Deltas carry obfuscation by default',
    fields: longChat,
    verify(eventStream) {
      const texts = eventStream.chunks.filter(
        ({ json }) => (textAt(json, 'choices', 0, 'delta', 'content') ?? '') !== '',
      );
      if (texts.length === 0) throw new Skip('this stream has no content');
      assertStream(
        eventStream,
        texts.some(({ json }) => textAt(json, 'obfuscation') !== undefined),
        'No delta has obfuscation.',
      );
    },
  }),
  stream('obfuscation-sizes', {
    section: OPTIONS,
    title: 'Obfuscation hides the lengths of the deltas',
    fields: longChat,
    certainty: 'likely',
    weight: 1,
    verify(eventStream) {
      const withObfuscation = eventStream.chunks.filter(({ json }) => textAt(json, 'obfuscation') !== undefined);
      if (withObfuscation.length < 3) throw new Skip('there are too few events with obfuscation');
      const unpaddedSizes = withObfuscation.map(
        ({ byteLength: size, json }) => size - (textAt(json, 'obfuscation') ?? '').length,
      );
      const countDistinct = (sizes: readonly number[]): number => new Set(sizes).size;
      assertStream(
        eventStream,
        countDistinct(withObfuscation.map(({ byteLength: size }) => size)) <= Math.max(2, countDistinct(unpaddedSizes)),
        'Sizes vary more with obfuscation than without.',
      );
    },
  }),
  stream('no-obfuscation', {
    section: OPTIONS,
    title: 'include_obfuscation false disables obfuscation',
    fields: { ...longChat, stream_options: { include_obfuscation: false } },
    verify: (eventStream) =>
      assertStream(
        eventStream,
        eventStream.chunks.every(({ json }) => !hasKey(json, 'obfuscation')),
        'A chunk has obfuscation.',
      ),
  }),
  stream('n', {
    section: CHUNK,
    title: 'A stream of two choices has deltas of both, and both end',
    fields: { n: 2 },
    verify(eventStream) {
      const choices = streamChoices(eventStream);
      for (const index of [0, 1]) {
        const choiceChunks = choices.filter((choice) => numberAt(choice, 'index') === index);
        assertStream(eventStream, choiceChunks.length > 0, `No chunk has choice ${index}.`);
        assertStream(
          eventStream,
          choiceChunks.filter((choice) => textAt(choice, 'finish_reason') !== undefined).length === 1,
          `Choice ${index} does not end exactly once.`,
        );
      }
    },
  }),
  stream('length', {
    section: CHUNK,
    title: 'A stream limited by max_completion_tokens ends with finish_reason length',
    fields: { ...longChat, max_completion_tokens: 3 },
    verify: (eventStream) =>
      assertStream(
        eventStream,
        streamChoices(eventStream).some((choice) => textAt(choice, 'finish_reason') === 'length'),
        'No finish_reason is length.',
      ),
  }),
  stream('stop', {
    section: OPTIONS,
    title: 'No delta of a stream contains any of a stop sequence',
    fields: { ...longChat, temperature: 0, stop: ['e'] },
    verify: (eventStream) =>
      assertStream(
        eventStream,
        !streamChoices(eventStream)
          .map((choice) => textAt(choice, 'delta', 'content') ?? '')
          .join('')
          .includes('e'),
        "The text holds the stop sequence 'e'.",
      ),
  }),
];

function choiceDelta(choice: unknown): { readonly content: string | undefined; readonly tool_calls: unknown } {
  const delta = valueAt(choice, 'delta');
  return { content: textAt(delta, 'content'), tool_calls: valueAt(delta, 'tool_calls') };
}
