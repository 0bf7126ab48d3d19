import type { Check } from '../check.ts';
import { check } from '../check.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { mediaType } from '../exchange/response.ts';
import { DONE } from '../exchange/events.ts';
import type { EventStream } from '../exchange/events.ts';
import { listAt, numberAt, textAt, valueAt } from '../exchange/value.ts';
import { assertConforms, successfulStream } from '../verdict.ts';
import type { RunContext } from '../context/run-context.ts';
import { parameterEffect } from './parameter-effect.ts';
import type { ParameterEffectInit } from './parameter-effect.ts';
import { rejectionChecks } from './refusal.ts';

const CREATE = 'completions.create';
const PROMPT = 'Say hello.';
const LONG_PROMPT = 'Tell me at length about rivers.';

/** Requests a legacy completion of at most the default number of tokens, which many servers do not have. Equal fields share one request. */
export function sendTextCompletion(context: RunContext, fields: object = {}): Promise<CompleteResponse> {
  return context.sendOnce(`completion ${JSON.stringify(fields)}`, async () => ({
    method: 'POST',
    path: '/completions',
    body: { model: await context.chatModel(), prompt: PROMPT, max_tokens: 16, ...fields },
  }));
}

const completionChoices = ({ json }: CompleteResponse): readonly unknown[] => listAt(json, 'choices');
const choiceText = (response: CompleteResponse, index = 0): string =>
  textAt(completionChoices(response)[index], 'text') ?? '';

function assertChoices(response: CompleteResponse, count: number): void {
  const indices = completionChoices(response).map((choice) => numberAt(choice, 'index'));
  const expected = Array.from({ length: count }, (_, index) => index);
  assertConforms(response, indices.join() === expected.join(), `The indices of the choices are ${indices.join(', ')}.`);
}

const param = (name: string, title: string, init: Omit<ParameterEffectInit, 'title' | 'section'>): Check =>
  parameterEffect(CREATE, name, {
    title,
    section: 'companion',
    certainty: 'likely',
    send: sendTextCompletion,
    ...init,
  });

async function openStream(context: RunContext, fields: object = {}): Promise<EventStream> {
  return successfulStream(await sendTextCompletion(context, { stream: true, ...fields }));
}

const stream = (name: string, title: string, verify: (events: EventStream) => void, fields?: object): Check =>
  check(CREATE, `stream.${name}`, {
    title,
    section: 'companion',
    certainty: 'likely',
    run: async (context) => verify(await openStream(context, fields)),
  });

const rejects = (name: string, title: string, field: string, fields: object): readonly Check[] =>
  rejectionChecks(CREATE, `refuses.${name}`, {
    title,
    field,
    section: 'companion',
    certainty: 'likely',
    call: async (context) => ({
      method: 'POST',
      path: '/completions',
      body: { model: await context.chatModel(), prompt: PROMPT, ...fields },
    }),
  });

/** Create completion (legacy). */
export const textCompletionChecks: readonly Check[] = [
  param('text', 'A prompt gives one choice with text', {
    param: 'prompt',
    weight: 3,
    fields: {},
    effect(response) {
      assertChoices(response, 1);
      assertConforms(response, choiceText(response) !== '', 'Its text is empty.');
    },
  }),
  param('prompts', 'Each of several prompts gives a choice, in their order', {
    param: 'prompt',
    weight: 3,
    fields: { prompt: [PROMPT, LONG_PROMPT] },
    effect: (response) => assertChoices(response, 2),
  }),
  param('n', 'n returns n choices for each prompt', {
    param: 'n',
    fields: { prompt: [PROMPT, LONG_PROMPT], n: 2 },
    effect: (response) => assertChoices(response, 4),
  }),
  param('max_tokens', 'max_tokens limits the text, with finish_reason length', {
    param: 'max_tokens',
    weight: 3,
    fields: { prompt: LONG_PROMPT, max_tokens: 3 },
    effect(response) {
      const tokens = numberAt(response.json, 'usage', 'completion_tokens') ?? Infinity;
      assertConforms(response, tokens <= 3, `usage reports ${tokens} completion tokens, more than 3.`);
      const reason = textAt(response.json, 'choices', 0, 'finish_reason');
      assertConforms(response, reason === 'length', `finish_reason is '${String(reason)}' instead of length.`);
    },
  }),
  param('max_tokens.default', 'The default of max_tokens is 16', {
    param: 'max_tokens',
    fields: { prompt: LONG_PROMPT, max_tokens: undefined },
    effect(response) {
      const tokens = numberAt(response.json, 'usage', 'completion_tokens') ?? Infinity;
      assertConforms(response, tokens <= 16, `usage reports ${tokens} completion tokens.`);
    },
  }),
  param('stop', 'The text ends before a stop sequence and does not contain it', {
    param: 'stop',
    fields: { prompt: LONG_PROMPT, temperature: 0, stop: ['e'] },
    effect: (response) => assertConforms(response, !choiceText(response).includes('e'), "The text contains 'e'."),
  }),
  param('echo', 'echo begins the text with the prompt', {
    param: 'echo',
    fields: { echo: true },
    effect: (response) =>
      assertConforms(response, choiceText(response).startsWith(PROMPT), 'It begins with something else.'),
  }),
  param('logprobs', 'logprobs returns the tokens of the text, each with its log probability', {
    param: 'logprobs',
    fields: { logprobs: 2 },
    effect(response) {
      const at = (key: string): readonly unknown[] => listAt(response.json, 'choices', 0, 'logprobs', key);
      assertConforms(response, at('tokens').join('') === choiceText(response), 'The tokens are not the text.');
      const equal = at('token_logprobs').length === at('tokens').length;
      assertConforms(response, equal, 'There is not one log probability for each token.');
    },
  }),
  stream('events', 'A stream is server-sent events with data only, ended by [DONE]', ({ response, events }) => {
    assertConforms(response, mediaType(response) === 'text/event-stream', 'Its content-type is not text/event-stream.');
    assertConforms(
      response,
      events.every(({ otherFields }) => otherFields.length === 0),
      'Events have other fields than data.',
    );
    assertConforms(response, events.at(-1)?.data === DONE, 'The last event is not [DONE].');
  }),
  stream('chunks', 'All chunks have the object text_completion and the same id', ({ response, chunks }) => {
    assertConforms(response, chunks.length > 0, 'There are no chunks.');
    const isExpected = chunks.every(({ json }) => textAt(json, 'object') === 'text_completion');
    assertConforms(response, isExpected, 'A chunk has another object.');
    const ids = new Set(chunks.map(({ json }) => textAt(json, 'id')));
    assertConforms(response, ids.size === 1 && !ids.has(undefined), `They have ${ids.size} IDs.`);
  }),
  stream('text', 'The chunks together have text, and the last choice a finish_reason', ({ response, chunks }) => {
    const choices = chunks.flatMap(({ json }) => listAt(json, 'choices'));
    const text = choices.map((choice) => textAt(choice, 'text') ?? '').join('');
    assertConforms(response, text !== '', 'They have no text.');
    const reasons = choices.map((choice) => valueAt(choice, 'finish_reason') ?? null);
    assertConforms(response, reasons.at(-1) !== null, 'The last finish_reason is null.');
    assertConforms(
      response,
      reasons.slice(0, -1).every((reason) => reason === null),
      'An earlier one is not null.',
    );
  }),
  stream(
    'usage',
    'include_usage sends a last chunk with the usage and no choices',
    ({ response, chunks }) => {
      const last = chunks.at(-1)?.json;
      assertConforms(response, (numberAt(last, 'usage', 'total_tokens') ?? 0) > 0, 'The last chunk has no usage.');
      assertConforms(response, listAt(last, 'choices').length === 0, 'The last chunk has choices.');
    },
    { stream_options: { include_usage: true } },
  ),
  ...rejects('n', 'Rejects n of 0', 'n', { n: 0 }),
  ...rejects('max_tokens', 'Rejects a negative max_tokens', 'max_tokens', { max_tokens: -1 }),
  ...rejects('logprobs', 'Rejects logprobs above 5', 'logprobs', { logprobs: 6 }),
  ...rejects('best_of', 'Rejects best_of below n', 'best_of', { best_of: 1, n: 2 }),
];
