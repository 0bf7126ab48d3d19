import { check } from '../../check.ts';
import type { Check } from '../../check.ts';
import { describeValue, hasKey, listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import type { RunContext } from '../../context/run-context.ts';
import { successfulSample } from '../shape.ts';
import { sendChat } from './send.ts';
import { assertConforms, assertStatus } from '../../verdict.ts';

const CREATE = 'chat.completions.create';
const OBJECT = 'Chat completion object';
const DAY = 86_400;

async function sampleMessage(context: RunContext) {
  const response = await successfulSample(context, CREATE);
  return { response, message: valueAt(response.json, 'choices', 0, 'message') };
}

/** Non-streaming responses: rules between their fields. */
export const nonStreamingChecks: readonly Check[] = [
  check(CREATE, 'whole.object', {
    title: 'The object of a non-streaming response is chat.completion',
    section: OBJECT,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      assertConforms(response, textAt(response.json, 'object') === 'chat.completion', 'Its object differs.');
    },
  }),
  check(CREATE, 'whole.id', {
    title: 'Each completion has a unique ID',
    section: OBJECT,
    weight: 3,
    async run(context) {
      const first = await successfulSample(context, CREATE);
      const second = await sendChat(context, {}, 'again');
      const [a, b] = [textAt(first.json, 'id'), textAt(second.json, 'id')];
      assertConforms(
        second,
        b !== undefined && b !== '' && a !== b,
        `Two completions have the ID ${describeValue(b)}.`,
        'Generate random IDs that are long enough to be unique.',
      );
    },
  }),
  check(CREATE, 'whole.created', {
    title: 'created is Unix time in seconds',
    section: OBJECT,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const created = numberAt(response.json, 'created') ?? 0;
      assertConforms(
        response,
        Math.abs(created - Date.now() / 1000) < DAY,
        `created is ${created}, which is not close to the current time in seconds.`,
      );
    },
  }),
  check(CREATE, 'whole.model', {
    title: 'model is the model that was used',
    section: OBJECT,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      assertConforms(response, (textAt(response.json, 'model') ?? '') !== '', 'model is missing or empty.');
    },
  }),
  check(CREATE, 'whole.choices', {
    title: 'There is one choice, with index 0, by default',
    section: OBJECT,
    weight: 3,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const choices = listAt(response.json, 'choices');
      assertConforms(response, choices.length === 1, `There are ${choices.length} choices.`);
      assertConforms(response, numberAt(choices[0], 'index') === 0, 'The index of the only choice is not 0.');
    },
  }),
  check(CREATE, 'whole.message', {
    title: 'The message has role assistant and content, a refusal, tool calls or audio',
    section: 'Chat completion object: Message',
    weight: 3,
    async run(context) {
      const { response, message } = await sampleMessage(context);
      assertConforms(response, textAt(message, 'role') === 'assistant', 'The role is not assistant.');
      const hasContent = ['content', 'refusal'].some((field) => textAt(message, field) !== undefined);
      const hasCalls = listAt(message, 'tool_calls').length > 0 || valueAt(message, 'audio') !== undefined;
      assertConforms(response, hasContent || hasCalls, 'The message is empty.');
    },
  }),
  check(CREATE, 'whole.refusal', {
    title: 'refusal is null without a refusal',
    section: 'Chat completion object: Message',
    weight: 1,
    async run(context) {
      const { response, message } = await sampleMessage(context);
      if (textAt(message, 'refusal') !== undefined) return;
      assertConforms(
        response,
        hasKey(message, 'refusal') && valueAt(message, 'refusal') === null,
        'refusal is missing from the message.',
      );
    },
  }),
  check(CREATE, 'whole.finish-reason', {
    title: 'finish_reason is one of stop, length, content_filter, tool_calls, function_call',
    section: 'Chat completion object: Choice',
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const reason = textAt(response.json, 'choices', 0, 'finish_reason') ?? '';
      assertConforms(response, FINISHES.has(reason), `finish_reason is '${reason}'.`);
    },
  }),
  check(CREATE, 'whole.logprobs', {
    title: 'logprobs is null unless requested',
    section: 'Chat completion object: Choice',
    weight: 1,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const choice = valueAt(response.json, 'choices', 0);
      assertConforms(
        response,
        hasKey(choice, 'logprobs'),
        'logprobs is missing from the choice.',
        'Send logprobs: null.',
      );
      assertConforms(
        response,
        valueAt(choice, 'logprobs') === null,
        'logprobs is present although it was not requested.',
      );
    },
  }),
  check(CREATE, 'whole.usage', {
    title: 'usage counts tokens, and total_tokens is the sum',
    section: 'Chat completion object: Usage',
    weight: 3,
    async run(context) {
      const response = await successfulSample(context, CREATE);
      const usage = valueAt(response.json, 'usage');
      const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((field) =>
        numberAt(usage, field),
      );
      assertConforms(
        response,
        prompt !== undefined && completion !== undefined && total !== undefined,
        'usage lacks a count.',
      );
      assertConforms(response, total === prompt + completion, `${prompt} + ${completion} is not ${total}.`);
      assertConforms(response, prompt > 0, 'A non-empty prompt has no tokens.');
      assertConforms(response, completion > 0, 'A non-empty response has no tokens.');
    },
  }),
  check(CREATE, 'whole.usage-details', {
    title: 'usage has its details',
    section: 'Chat completion object: Usage',
    weight: 1,
    certainty: 'likely',
    async run(context) {
      const response = await successfulSample(context, CREATE);
      for (const details of ['completion_tokens_details', 'prompt_tokens_details']) {
        const value = valueAt(response.json, 'usage', details);
        assertConforms(response, typeof value === 'object' && value !== null, `usage.${details} is missing.`);
      }
    },
  }),
  check(CREATE, 'whole.service-tier', {
    title: 'service_tier is the tier that was used, never auto',
    section: OBJECT,
    weight: 1,
    async run(context) {
      const response = await sendChat(context, { service_tier: 'auto' });
      if (response.status !== 200) return 'Rejected.';
      const tier = valueAt(response.json, 'service_tier');
      assertConforms(
        response,
        tier === undefined || tier === null || (typeof tier === 'string' && tier !== 'auto'),
        'service_tier is auto, which is not a tier.',
      );
      return undefined;
    },
  }),
  check(CREATE, 'charset', {
    title: 'Accepts JSON with a charset in content-type',
    section: 'companion',
    certainty: 'likely',
    weight: 1,
    async run(context) {
      const model = await context.chatModel();
      const response = await context.sendOnce('chat charset', () => ({
        method: 'POST',
        path: '/chat/completions',
        raw: {
          content: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }] }),
          type: 'application/json; charset=utf-8',
        },
      }));
      assertStatus(response, 200);
    },
  }),
];

export const FINISHES: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'content_filter',
  'tool_calls',
  'function_call',
]);
