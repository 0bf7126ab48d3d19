import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import { mediaTypeOf } from '../../exchange/answer.ts';
import { DONE } from '../../exchange/events.ts';
import type { EventStream } from '../../exchange/events.ts';
import { has, listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import type { World } from '../../world/world.ts';
import { askStream } from './ask.ts';
import { FINISHES } from './non-streaming.ts';
import { assertConforms, Skip } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const EVENTS = 'Events';
const CHUNK = 'Chat completion chunk object';
const OPTIONS = 'Create chat completion';

const usage = { stream_options: { include_usage: true } };
const long = { messages: [{ role: 'user', content: 'Tell me about rivers.' }] };

interface StreamInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly section?: string;
  readonly fields?: object;
  readonly look: (stream: EventStream, world: World) => unknown;
}

const stream = (name: string, { section = EVENTS, fields = {}, look, ...init }: StreamInit): Check =>
  check(CREATE, `stream.${name}`, {
    section,
    ...init,
    run: async (world) => {
      await look(await askStream(world, fields), world);
    },
  });

const bad = (given: EventStream, condition: boolean, reason: string, fix?: string): void => assertConforms(given.answer, condition, reason, fix); // prettier-ignore

/** The values of a field in all chunks that are valid JSON. */
const over = ({ chunks }: EventStream, ...path: PropertyKey[]): readonly unknown[] => chunks.map(({ json }) => valueAt(json, ...path)); // prettier-ignore

const choicesOf = ({ chunks }: EventStream): readonly unknown[] =>
  chunks.flatMap(({ json }) => listAt(json, 'choices'));

/** How a stream starts, continues and ends. */
export const streamChecks: readonly Check[] = [
  stream('media-type', {
    title: 'A stream has the content type text/event-stream',
    look: (given) => bad(given, mediaTypeOf(given.answer) === 'text/event-stream', `Its content-type is ${mediaTypeOf(given.answer) || 'missing'}.`), // prettier-ignore
  }),
  stream('data-only', {
    title: 'Each event has only data fields',
    look(given) {
      bad(given, given.events.length > 0, 'There are no events.');
      const others = new Set(given.events.flatMap((event) => event.others));
      bad(given, others.size === 0, `Events have ${[...others].join(', ').slice(0, 100)} besides data.`);
    },
  }),
  stream('json', {
    title: 'Each event except the last is one JSON object',
    weight: 3,
    look(given) {
      bad(given, given.chunks.length > 0, 'There are no chunks.');
      const odd = given.chunks.find(({ json }) => typeof json !== 'object' || json === null);
      bad(given, odd === undefined, `An event is not a JSON object: ${odd?.data.slice(0, 100) ?? ''}`);
    },
  }),
  stream('done', {
    title: 'A stream ends with data: [DONE]',
    weight: 3,
    look: (given) =>
      bad(given, given.events.at(-1)?.data === DONE, 'The last event is not [DONE].', "Send 'data: [DONE]' and an empty line at the end of every stream."), // prettier-ignore
  }),
  stream('done-once', {
    title: '[DONE] is sent once, as the last event',
    look(given) {
      const at = given.events.findIndex(({ data }) => data === DONE);
      bad(given, at !== -1, 'There is no [DONE].');
      bad(given, at === given.events.length - 1, `${given.events.length - 1 - at} events follow the first [DONE].`);
      bad(given, given.rest.trim() === '', 'Something follows [DONE].');
    },
  }),
  stream('object', {
    section: CHUNK,
    title: 'The object of each chunk is chat.completion.chunk',
    look: (given) => bad(given, over(given, 'object').every((value) => value === 'chat.completion.chunk'), 'Some chunks have another object.'), // prettier-ignore
  }),
  stream('one-id', {
    section: CHUNK,
    title: 'All chunks of a stream have the same ID',
    weight: 3,
    look(given) {
      const ids = new Set(over(given, 'id'));
      bad(given, ids.size === 1 && !ids.has(undefined), `They have ${ids.size} IDs.`, 'Create the ID before the first chunk and use it for all.'); // prettier-ignore
    },
  }),
  stream('own-id', {
    section: CHUNK,
    title: 'Each stream has a unique ID',
    async look(given, world) {
      const other = await askStream(world, usage);
      bad(
        given,
        textAt(given.chunks[0]?.json, 'id') !== textAt(other.chunks[0]?.json, 'id'),
        'Two streams have the same ID.',
      );
    },
  }),
  stream('one-created', {
    section: CHUNK,
    title: 'All chunks of a stream have the same created, in seconds',
    look(given) {
      const times = [...new Set(over(given, 'created'))];
      bad(given, times.length === 1, `They have ${times.length} times.`);
      const [time] = times;
      bad(given, typeof time === 'number' && Math.abs(time - Date.now() / 1000) < 86_400, 'created is not close to the current time in seconds.'); // prettier-ignore
    },
  }),
  stream('first-role', {
    section: CHUNK,
    title: 'The first delta has the role assistant',
    certainty: 'likely',
    look: (given) => bad(given, textAt(given.chunks[0]?.json, 'choices', 0, 'delta', 'role') === 'assistant', "The first delta's role is not assistant.", 'Begin each choice with delta {"role": "assistant", "content": ""}.'), // prettier-ignore
  }),
  stream('role-once', {
    section: CHUNK,
    title: 'The role is sent once',
    certainty: 'opinion',
    weight: 1,
    look: (given) => bad(given, choicesOf(given).filter((choice) => has(valueAt(choice, 'delta'), 'role')).length === 1, 'It is sent more than once.'), // prettier-ignore
  }),
  stream('text', {
    section: CHUNK,
    title: 'The deltas add up to a text in several pieces',
    fields: long,
    weight: 3,
    look(given) {
      const pieces = choicesOf(given).flatMap((choice) => textAt(choice, 'delta', 'content') ?? []).filter((piece) => piece !== ''); // prettier-ignore
      bad(given, pieces.length > 0, 'There is no content.');
      bad(given, pieces.length > 1, 'The whole text is in one delta.');
    },
  }),
  stream('finish', {
    section: CHUNK,
    title: 'finish_reason is null until the last chunk of a choice, which has the reason',
    weight: 3,
    look(given) {
      const choices = choicesOf(given);
      const reasons = choices.map((choice) => textAt(choice, 'finish_reason')).filter((reason) => reason !== undefined);
      bad(given, reasons.length === 1, `There are ${reasons.length} finish reasons.`);
      bad(given, FINISHES.has(reasons[0] ?? ''), `The finish_reason is '${reasons[0] ?? ''}'.`);
      bad(given, textAt(choices.at(-1), 'finish_reason') !== undefined, 'The choice continues after its finish_reason.'); // prettier-ignore
    },
  }),
  stream('finish-null', {
    section: CHUNK,
    title: 'Every chunk of a choice has finish_reason, null until the last',
    weight: 1,
    look: (given) => bad(given, choicesOf(given).every((choice) => has(choice, 'finish_reason')), 'finish_reason is missing from a choice.'), // prettier-ignore
  }),
  stream('last-delta', {
    section: CHUNK,
    title: 'The chunk with finish_reason has an empty delta',
    certainty: 'likely',
    weight: 1,
    look(given) {
      const last = choicesOf(given).find((choice) => textAt(choice, 'finish_reason') !== undefined);
      const { content, tool_calls } = deltaOf(last);
      bad(given, (content ?? '') === '' && tool_calls === undefined, 'Its delta is not empty.');
    },
  }),
  stream('usage', {
    section: OPTIONS,
    title: 'With include_usage, a chunk with usage and no choices precedes [DONE]',
    fields: usage,
    weight: 3,
    look(given) {
      const last = given.chunks.at(-1)?.json;
      const counts = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((field) =>
        numberAt(last, 'usage', field),
      );
      bad(given, Array.isArray(valueAt(last, 'choices')) && listAt(last, 'choices').length === 0, 'The choices of the last chunk are not an empty list.'); // prettier-ignore
      const [prompt = NaN, completion = NaN, total = NaN] = counts;
      bad(given, total === prompt + completion, `Its usage is ${counts.map(String).join(', ')}.`);
    },
  }),
  stream('usage-null', {
    section: OPTIONS,
    title: 'With include_usage, the other chunks have usage null',
    fields: usage,
    look: (given) => bad(given, given.chunks.slice(0, -1).every(({ json }) => has(json, 'usage') && valueAt(json, 'usage') === null), 'A chunk before the last has no usage field, or one that is not null.', 'Send usage: null in every chunk except the last.'), // prettier-ignore
  }),
  stream('no-usage', {
    section: CHUNK,
    title: 'Without include_usage no chunk has usage',
    look: (given) => bad(given, given.chunks.every(({ json }) => (valueAt(json, 'usage') ?? null) === null), 'A chunk has usage although it was not requested.'), // prettier-ignore
  }),
  stream('obfuscation', {
    section: OPTIONS,
    title: 'Deltas carry obfuscation by default',
    fields: long,
    look(given) {
      const said = given.chunks.filter(({ json }) => (textAt(json, 'choices', 0, 'delta', 'content') ?? '') !== '');
      if (said.length === 0) throw new Skip('this stream has no content');
      bad(
        given,
        said.some(({ json }) => textAt(json, 'obfuscation') !== undefined),
        'No delta has obfuscation.',
      );
    },
  }),
  stream('obfuscation-sizes', {
    section: OPTIONS,
    title: 'Obfuscation hides the lengths of the deltas',
    fields: long,
    certainty: 'likely',
    weight: 1,
    look(given) {
      const padded = given.chunks.filter(({ json }) => textAt(json, 'obfuscation') !== undefined);
      if (padded.length < 3) throw new Skip('there are too few events with obfuscation');
      const bare = padded.map(({ size, json }) => size - (textAt(json, 'obfuscation') ?? '').length);
      const kinds = (sizes: readonly number[]): number => new Set(sizes).size;
      bad(given, kinds(padded.map(({ size }) => size)) <= Math.max(2, kinds(bare)), 'Sizes vary more with obfuscation than without.'); // prettier-ignore
    },
  }),
  stream('no-obfuscation', {
    section: OPTIONS,
    title: 'include_obfuscation false disables obfuscation',
    fields: { ...long, stream_options: { include_obfuscation: false } },
    look: (given) =>
      bad(
        given,
        given.chunks.every(({ json }) => !has(json, 'obfuscation')),
        'A chunk has obfuscation.',
      ),
  }),
  stream('n', {
    section: CHUNK,
    title: 'A stream of two choices has deltas of both, and both end',
    fields: { n: 2 },
    look(given) {
      const choices = choicesOf(given);
      for (const index of [0, 1]) {
        const own = choices.filter((choice) => numberAt(choice, 'index') === index);
        bad(given, own.length > 0, `No chunk has choice ${index}.`);
        bad(given, own.filter((choice) => textAt(choice, 'finish_reason') !== undefined).length === 1, `Choice ${index} does not end exactly once.`); // prettier-ignore
      }
    },
  }),
  stream('length', {
    section: CHUNK,
    title: 'A stream limited by max_completion_tokens ends with finish_reason length',
    fields: { ...long, max_completion_tokens: 3 },
    look: (given) => bad(given, choicesOf(given).some((choice) => textAt(choice, 'finish_reason') === 'length'), 'No finish_reason is length.'), // prettier-ignore
  }),
  stream('stop', {
    section: OPTIONS,
    title: 'No delta of a stream contains any of a stop sequence',
    fields: { ...long, temperature: 0, stop: ['e'] },
    look: (given) => bad(given, !choicesOf(given).map((choice) => textAt(choice, 'delta', 'content') ?? '').join('').includes('e'), "The text holds the stop sequence 'e'."), // prettier-ignore
  }),
];

function deltaOf(choice: unknown): { readonly content: string | undefined; readonly tool_calls: unknown } {
  const delta = valueAt(choice, 'delta');
  return { content: textAt(delta, 'content'), tool_calls: valueAt(delta, 'tool_calls') };
}
