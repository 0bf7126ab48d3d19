import type { Check } from '../check.ts';
import { check } from '../check.ts';
import type { Answer } from '../exchange/answer.ts';
import { mediaType } from '../exchange/answer.ts';
import { DONE, parseEvents } from '../exchange/events.ts';
import type { EventStream } from '../exchange/events.ts';
import { listAt, numberAt, textAt, valueAt } from '../exchange/value.ts';
import { assertConforms } from '../verdict.ts';
import type { World } from '../world/world.ts';
import { parameterEffect } from './parameter-effect.ts';
import type { ParameterEffectInit } from './parameter-effect.ts';
import { rejectionChecks } from './refusal.ts';

const CREATE = 'completions.create';
const PROMPT = 'Say hello.';
const LONG_PROMPT = 'Tell me at length about rivers.';

/** Requests a legacy completion. Equal fields share one request. */
export function sendTextCompletion(world: World, fields: object = {}): Promise<Answer> {
  return world.sendOnce(`completion ${JSON.stringify(fields)}`, async () => ({
    method: 'POST',
    path: '/completions',
    body: { model: await world.chatModel(), prompt: PROMPT, ...fields },
  }));
}

const completionChoices = ({ json }: Answer): readonly unknown[] => listAt(json, 'choices');
const choiceText = (answer: Answer, index = 0): string => textAt(completionChoices(answer)[index], 'text') ?? '';

function assertChoices(answer: Answer, count: number): void {
  const indices = completionChoices(answer).map((choice) => numberAt(choice, 'index'));
  const expected = Array.from({ length: count }, (_, index) => index);
  assertConforms(answer, indices.join() === expected.join(), `The indices of the choices are ${indices.join(', ')}.`);
}

const param = (name: string, title: string, init: Omit<ParameterEffectInit, 'title' | 'section'>): Check =>
  parameterEffect(CREATE, name, {
    title,
    section: 'companion',
    certainty: 'likely',
    send: sendTextCompletion,
    ...init,
  });

async function openStream(world: World, fields: object = {}): Promise<EventStream> {
  const answer = await sendTextCompletion(world, { stream: true, ...fields });
  assertConforms(answer, answer.status === 200, `The stream request returns ${answer.status}.`);
  return parseEvents(answer);
}

const stream = (name: string, title: string, verify: (events: EventStream) => void, fields?: object): Check =>
  check(CREATE, `stream.${name}`, {
    title,
    section: 'companion',
    certainty: 'likely',
    run: async (world) => verify(await openStream(world, fields)),
  });

const rejects = (name: string, title: string, field: string, fields: object): readonly Check[] =>
  rejectionChecks(CREATE, `refuses.${name}`, {
    title,
    field,
    section: 'companion',
    certainty: 'likely',
    call: async (world) => ({
      method: 'POST',
      path: '/completions',
      body: { model: await world.chatModel(), prompt: PROMPT, ...fields },
    }),
  });

/** Create completion (legacy). */
export const textCompletionChecks: readonly Check[] = [
  param('text', 'A prompt gives one choice with text', {
    param: 'prompt',
    weight: 3,
    fields: {},
    effect(answer) {
      assertChoices(answer, 1);
      assertConforms(answer, choiceText(answer) !== '', 'Its text is empty.');
    },
  }),
  param('prompts', 'Each of several prompts gives a choice, in their order', {
    param: 'prompt',
    weight: 3,
    fields: { prompt: [PROMPT, LONG_PROMPT] },
    effect: (answer) => assertChoices(answer, 2),
  }),
  param('n', 'n returns n choices for each prompt', {
    param: 'n',
    fields: { prompt: [PROMPT, LONG_PROMPT], n: 2 },
    effect: (answer) => assertChoices(answer, 4),
  }),
  param('max_tokens', 'max_tokens limits the text, with finish_reason length', {
    param: 'max_tokens',
    weight: 3,
    fields: { prompt: LONG_PROMPT, max_tokens: 3 },
    effect(answer) {
      const tokens = numberAt(answer.json, 'usage', 'completion_tokens') ?? Infinity;
      assertConforms(answer, tokens <= 3, `usage reports ${tokens} completion tokens, more than 3.`);
      const reason = textAt(answer.json, 'choices', 0, 'finish_reason');
      assertConforms(answer, reason === 'length', `finish_reason is '${String(reason)}' instead of length.`);
    },
  }),
  param('max_tokens.default', 'The default of max_tokens is 16', {
    param: 'max_tokens',
    fields: { prompt: LONG_PROMPT },
    effect(answer) {
      const tokens = numberAt(answer.json, 'usage', 'completion_tokens') ?? Infinity;
      assertConforms(answer, tokens <= 16, `usage reports ${tokens} completion tokens.`);
    },
  }),
  param('stop', 'The text ends before a stop sequence and does not contain it', {
    param: 'stop',
    fields: { prompt: LONG_PROMPT, temperature: 0, stop: ['e'] },
    effect: (answer) => assertConforms(answer, !choiceText(answer).includes('e'), "The text contains 'e'."),
  }),
  param('echo', 'echo begins the text with the prompt', {
    param: 'echo',
    fields: { echo: true },
    effect: (answer) => assertConforms(answer, choiceText(answer).startsWith(PROMPT), 'It begins with something else.'),
  }),
  param('logprobs', 'logprobs returns the tokens of the text, each with its log probability', {
    param: 'logprobs',
    fields: { logprobs: 2 },
    effect(answer) {
      const at = (key: string): readonly unknown[] => listAt(answer.json, 'choices', 0, 'logprobs', key);
      assertConforms(answer, at('tokens').join('') === choiceText(answer), 'The tokens are not the text.');
      const equal = at('token_logprobs').length === at('tokens').length;
      assertConforms(answer, equal, 'There is not one log probability for each token.');
    },
  }),
  stream('events', 'A stream is server-sent events with data only, ended by [DONE]', ({ answer, events }) => {
    assertConforms(answer, mediaType(answer) === 'text/event-stream', 'Its content-type is not text/event-stream.');
    assertConforms(answer, events.every(({ otherFields }) => otherFields.length === 0), 'Events have other fields than data.'); // prettier-ignore
    assertConforms(answer, events.at(-1)?.data === DONE, 'The last event is not [DONE].');
  }),
  stream('chunks', 'All chunks have the object text_completion and the same id', ({ answer, chunks }) => {
    assertConforms(answer, chunks.length > 0, 'There are no chunks.');
    const isExpected = chunks.every(({ json }) => textAt(json, 'object') === 'text_completion');
    assertConforms(answer, isExpected, 'A chunk has another object.');
    const ids = new Set(chunks.map(({ json }) => textAt(json, 'id')));
    assertConforms(answer, ids.size === 1 && !ids.has(undefined), `They have ${ids.size} IDs.`);
  }),
  stream('text', 'The chunks together have text, and the last choice a finish_reason', ({ answer, chunks }) => {
    const choices = chunks.flatMap(({ json }) => listAt(json, 'choices'));
    const text = choices.map((choice) => textAt(choice, 'text') ?? '').join('');
    assertConforms(answer, text !== '', 'They have no text.');
    const reasons = choices.map((choice) => valueAt(choice, 'finish_reason') ?? null);
    assertConforms(answer, reasons.at(-1) !== null, 'The last finish_reason is null.');
    assertConforms(answer, reasons.slice(0, -1).every((reason) => reason === null), 'An earlier one is not null.'); // prettier-ignore
  }),
  stream(
    'usage',
    'include_usage sends a last chunk with the usage and no choices',
    ({ answer, chunks }) => {
      const last = chunks.at(-1)?.json;
      assertConforms(answer, (numberAt(last, 'usage', 'total_tokens') ?? 0) > 0, 'The last chunk has no usage.');
      assertConforms(answer, listAt(last, 'choices').length === 0, 'The last chunk has choices.');
    },
    { stream_options: { include_usage: true } },
  ),
  ...rejects('n', 'Rejects n of 0', 'n', { n: 0 }),
  ...rejects('max_tokens', 'Rejects a negative max_tokens', 'max_tokens', { max_tokens: -1 }),
  ...rejects('logprobs', 'Rejects logprobs above 5', 'logprobs', { logprobs: 6 }),
  ...rejects('best_of', 'Rejects best_of below n', 'best_of', { best_of: 1, n: 2 }),
];
