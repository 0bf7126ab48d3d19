import { check } from '../../check.ts';
import type { Check, CheckInit } from '../../check.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { describeValue, listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import { assertConforms, successful } from '../../verdict.ts';
import type { RunContext } from '../../context/run-context.ts';
import { sendResponseRequest, outputItems } from './send.ts';

const CREATE = 'responses.create';
const DAY = 86_400;

const sendExpectingSuccess = (context: RunContext, fields: object = {}, copy = ''): Promise<CompleteResponse> =>
  successful(sendResponseRequest(context, fields, copy));

interface ObjectInit extends Omit<CheckInit, 'run' | 'section'> {
  readonly verify: (response: CompleteResponse, context: RunContext) => void | Promise<void>;
}

const object = (name: string, { verify, ...init }: ObjectInit): Check =>
  check(CREATE, `object.${name}`, {
    certainty: 'likely',
    ...init,
    section: 'companion',
    run: async (context) => {
      await verify(await sendExpectingSuccess(context), context);
    },
  });

/** Non-streaming responses: rules between their fields. */
export const responseObjectChecks: readonly Check[] = [
  object('id', {
    title: 'Each response has a unique ID',
    weight: 3,
    async verify(first, context) {
      const second = await sendExpectingSuccess(context, {}, 'again');
      const [a, b] = [textAt(first.json, 'id'), textAt(second.json, 'id')];
      assertConforms(second, b !== undefined && b !== '' && a !== b, `Two responses have the ID ${describeValue(b)}.`);
    },
  }),
  object('created_at', {
    title: 'created_at is Unix time in seconds',
    verify(response) {
      const created = numberAt(response.json, 'created_at') ?? 0;
      const isNow = Math.abs(created - Date.now() / 1000) < DAY;
      assertConforms(response, isNow, `created_at is ${created}, which is not close to the current time in seconds.`);
    },
  }),
  object('completed', {
    title: 'A response that ended normally has the status completed, no error and no incomplete_details',
    weight: 3,
    verify(response) {
      const { json } = response;
      assertConforms(
        response,
        textAt(json, 'status') === 'completed',
        `Its status is ${describeValue(valueAt(json, 'status'))}.`,
      );
      assertConforms(response, (valueAt(json, 'error') ?? null) === null, 'error is not null.');
      assertConforms(
        response,
        (valueAt(json, 'incomplete_details') ?? null) === null,
        'incomplete_details is not null.',
      );
    },
  }),
  object('message', {
    title: 'The output has one message of the assistant, with output_text that is not empty and has annotations',
    weight: 3,
    verify(response) {
      const messages = outputItems(response.json, 'message');
      assertConforms(response, messages.length === 1, `The output has ${messages.length} messages.`);
      const [message] = messages;
      assertConforms(response, textAt(message, 'role') === 'assistant', 'Its role is not assistant.');
      assertConforms(response, textAt(message, 'status') === 'completed', 'Its status is not completed.');
      const parts = listAt(message, 'content');
      const isText = (part: unknown): boolean =>
        textAt(part, 'type') === 'output_text' && Array.isArray(valueAt(part, 'annotations'));
      assertConforms(response, parts.length > 0 && parts.every(isText), 'A part is not output_text with annotations.');
      assertConforms(response, (textAt(parts[0], 'text') ?? '') !== '', 'Its text is empty.');
    },
  }),
  object('item-ids', {
    title: 'Each item of the output has a unique ID',
    weight: 2,
    async verify(first, context) {
      const second = await sendExpectingSuccess(context, {}, 'again');
      const ids = [first, second].flatMap(({ json }) => listAt(json, 'output').map((item) => textAt(item, 'id') ?? ''));
      const unique = new Set(ids).size === ids.length && !ids.includes('') && ids.length > 0;
      assertConforms(second, unique, `The IDs are ${ids.join(', ')}.`);
    },
  }),
  object('usage', {
    title: 'usage has input, output and total tokens, and their details',
    weight: 3,
    verify(response) {
      const count = (...path: string[]): number | undefined => numberAt(response.json, 'usage', ...path);
      const [input, output] = [count('input_tokens') ?? 0, count('output_tokens') ?? 0];
      assertConforms(response, input > 0 && output > 0, `They are ${input} and ${output}.`);
      assertConforms(response, count('total_tokens') === input + output, 'total_tokens is not their sum.');
      const cached = count('input_tokens_details', 'cached_tokens');
      const reasoning = count('output_tokens_details', 'reasoning_tokens');
      assertConforms(
        response,
        cached !== undefined && reasoning !== undefined,
        'cached_tokens or reasoning_tokens is missing.',
        'Send input_tokens_details.cached_tokens and output_tokens_details.reasoning_tokens, 0 where unknown.',
      );
    },
  }),
];
