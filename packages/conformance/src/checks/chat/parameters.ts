import type { Check } from '../../check.ts';
import { listAt, numberAt, textAt, valueAt } from '../../exchange/value.ts';
import type { CompleteResponse } from '../../exchange/response.ts';
import { parameterEffect } from '../parameter-effect.ts';
import type { ParameterEffectInit } from '../parameter-effect.ts';
import { assertConforms } from '../../verdict.ts';
import { tokenText } from './token-text.ts';

const CREATE = 'chat.completions.create';
const section = 'Create chat completion';
const longChat = { messages: [{ role: 'user', content: 'Tell me at length about rivers.' }] };

const param = (
  name: string,
  title: string,
  init: Omit<ParameterEffectInit, 'title' | 'section'> & { section?: string },
): Check => parameterEffect(CREATE, `param.${name}`, { title, section, ...init });

/** A parameter without a visible effect. */
const accepted = (name: string, title: string, fields: object): Check =>
  param(name, title, { param: Object.keys(fields), fields, weight: 1 });

/** Values of a parameter, with which the response is the same. */
const eachValue = (field: string, values: readonly (string | number)[], others: object = {}): readonly Check[] =>
  values.map((value) =>
    param(`${field}.${value}`, `${field} can be ${value}`, {
      param: field,
      fields: { [field]: value, ...others },
      weight: 1,
    }),
  );

/** The text of a choice of a non-streaming response. */
const choiceText = (response: CompleteResponse, index = 0): string =>
  textAt(response.json, 'choices', index, 'message', 'content') ?? '';

function assertTruncatedAt(response: CompleteResponse, maxTokens: number): void {
  const tokens = numberAt(response.json, 'usage', 'completion_tokens') ?? Infinity;
  assertConforms(response, tokens <= maxTokens, `usage reports ${tokens} completion tokens, more than ${maxTokens}.`);
  const reason = textAt(response.json, 'choices', 0, 'finish_reason');
  assertConforms(response, reason === 'length', `finish_reason is '${String(reason)}' instead of length.`);
}

/** Every parameter of the request table with a visible effect: it has the effect or is rejected with a 400. */
export const parameterChecks: readonly Check[] = [
  param('max_completion_tokens', 'max_completion_tokens limits the response', {
    param: 'max_completion_tokens',
    weight: 3,
    fields: { ...longChat, max_completion_tokens: 3 },
    effect: (response) => assertTruncatedAt(response, 3),
  }),
  param('max_tokens', 'Deprecated max_tokens still limits the response', {
    param: 'max_tokens',
    fields: { ...longChat, max_tokens: 3 },
    effect: (response) => assertTruncatedAt(response, 3),
  }),
  param('n', 'n returns n choices, each with its index', {
    param: 'n',
    weight: 3,
    fields: { n: 3 },
    effect(response) {
      const indices = listAt(response.json, 'choices').map((choice) => numberAt(choice, 'index'));
      assertConforms(response, indices.length === 3, `The response has ${indices.length} choices instead of 3.`);
      assertConforms(
        response,
        new Set(indices).size === 3 && indices.every((one) => one !== undefined && one < 3),
        `Their indices are ${indices.join(', ')}.`,
      );
    },
  }),
  param('stop', 'A response ends before a stop sequence and does not contain it', {
    param: 'stop',
    weight: 3,
    fields: { ...longChat, temperature: 0, stop: ['e'] },
    effect: (response) =>
      assertConforms(response, !choiceText(response).includes('e'), "The reply contains the stop sequence 'e'."),
  }),
  param('stop.text', 'stop can be a single string', {
    param: 'stop',
    fields: { ...longChat, temperature: 0, stop: 'a' },
    effect: (response) =>
      assertConforms(response, !choiceText(response).includes('a'), "The reply contains the stop sequence 'a'."),
  }),
  param('stop.four', 'stop can have four sequences', {
    param: 'stop',
    fields: { temperature: 0, stop: ['zq', 'qz', 'xq', 'qx'] },
  }),
  param('logprobs', 'logprobs returns the log probability, bytes and alternatives of each token', {
    param: ['logprobs', 'top_logprobs'],
    section: 'Chat completion object: Logprobs',
    weight: 3,
    fields: { logprobs: true, top_logprobs: 2 },
    effect(response) {
      const tokens = listAt(response.json, 'choices', 0, 'logprobs', 'content');
      assertConforms(response, tokens.length > 0, 'logprobs.content is missing or empty.');
      assertConforms(response, tokenText(tokens) === choiceText(response), 'The tokens do not add up to the content.');
      for (const token of tokens) {
        const logprob = numberAt(token, 'logprob') ?? 1;
        assertConforms(response, logprob <= 0, `The logprob ${logprob} is not the logarithm of a probability.`);
        assertConforms(
          response,
          listAt(token, 'top_logprobs').length <= 2,
          'There are more top_logprobs than requested.',
        );
      }
    },
  }),
  accepted('top_logprobs.zero', 'top_logprobs can be 0', { logprobs: true, top_logprobs: 0 }),
  accepted('top_logprobs.most', 'top_logprobs can be 20', { logprobs: true, top_logprobs: 20 }),
  ...eachValue('frequency_penalty', [-2, 2]),
  ...eachValue('presence_penalty', [-2, 2]),
  ...[-100, 100].map((value) =>
    accepted(`logit_bias.${value}`, `A logit_bias can be ${value}`, { logit_bias: { 1000: value } }),
  ),
  ...eachValue('temperature', [0, 2], { max_completion_tokens: 5 }),
  accepted('top_p', 'top_p can be between 0 and 1', { top_p: 0.5 }),
  param('seed', 'Accepts seed and returns a system_fingerprint', {
    param: 'seed',
    fields: { seed: 7 },
    weight: 1,
    effect: (response) =>
      assertConforms(
        response,
        (textAt(response.json, 'system_fingerprint') ?? '') !== '',
        'system_fingerprint is missing.',
      ),
  }),
  ...eachValue('reasoning_effort', ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
  ...eachValue('verbosity', ['low', 'medium', 'high']),
  ...eachValue('service_tier', ['auto', 'default', 'flex', 'scale', 'priority', 'fast']),
  accepted('modalities', 'modalities can be text alone', { modalities: ['text'] }),
  param('audio', 'Audio output has id, expires_at, data and transcript', {
    param: ['modalities', 'audio'],
    section: 'Chat completion object: Message',
    fields: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    effect(response) {
      const audio = valueAt(response.json, 'choices', 0, 'message', 'audio');
      for (const field of ['id', 'data', 'transcript']) {
        assertConforms(response, textAt(audio, field) !== undefined, `message.audio.${field} is missing.`);
      }
      assertConforms(response, numberAt(audio, 'expires_at') !== undefined, 'message.audio.expires_at is missing.');
    },
  }),
  param('prediction', 'Uses a prediction and reports accepted tokens in usage', {
    param: 'prediction',
    fields: { prediction: { type: 'content', content: 'Hello! How can I help you today?' } },
    effect(response) {
      const details = valueAt(response.json, 'usage', 'completion_tokens_details');
      for (const field of ['accepted_prediction_tokens', 'rejected_prediction_tokens']) {
        assertConforms(
          response,
          numberAt(details, field) !== undefined,
          `usage.completion_tokens_details.${field} is missing.`,
        );
      }
    },
  }),
  accepted('prediction.parts', 'A prediction can consist of text parts', {
    prediction: { type: 'content', content: [{ type: 'text', text: 'Hello!' }] },
  }),
  accepted('safety_identifier', 'Accepts safety_identifier', { safety_identifier: 'c0ffee' }),
  accepted('prompt_cache_key', 'Accepts prompt_cache_key', { prompt_cache_key: 'conformance' }),
  accepted('prompt_cache_retention', 'prompt_cache_retention can be 24h', { prompt_cache_retention: '24h' }),
  accepted('user', 'Accepts deprecated user', { user: 'u-1' }),
  accepted('web_search_options', 'Accepts web_search_options', {
    web_search_options: {
      search_context_size: 'low',
      user_location: {
        type: 'approximate',
        approximate: { city: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
      },
    },
  }),
  ...nullable().map((field) =>
    param(`null.${field}`, `${field} can be null`, {
      param: field,
      weight: 1,
      fields: { [field]: null },
      effect: (response) =>
        assertConforms(
          response,
          listAt(response.json, 'choices').length === 1,
          'The response differs from one without the field.',
        ),
    }),
  ),
];

/** The fields that may be null according to the request table. */
function nullable(): readonly string[] {
  return [
    ...['store', 'reasoning_effort', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs'],
    ...['max_tokens', 'max_completion_tokens', 'n', 'modalities', 'audio', 'seed', 'service_tier', 'stop', 'stream'],
    ...['stream_options', 'temperature', 'top_p'],
  ];
}
