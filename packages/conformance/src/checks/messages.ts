import { check } from '../check.ts';
import type { Check, CheckInit } from '../check.ts';
import type { Call } from '../exchange/call.ts';
import type { CompleteResponse } from '../exchange/response.ts';
import { fieldsOf, listAt, numberAt, textAt, valueAt } from '../exchange/value.ts';
import { helloMessages } from '../context/create-objects.ts';
import type { RunContext } from '../context/run-context.ts';
import { assertConforms, assertFields, Skip, successful } from '../verdict.ts';
import {
  blocksOf,
  countTokens,
  createMessage,
  endReasons,
  forcedTool,
  longPrompt,
  messageCall,
  messageText,
  promptTokens,
  toolPrompt,
} from './messages/send.ts';
import { messageStreamChecks } from './messages/streams.ts';
import { rejectionChecks } from './refusal.ts';
import { assertUnknownPath } from './shape.ts';

const CREATE = 'messages.create';
const COUNT = 'messages.count_tokens';
const common = { section: 'companion', certainty: 'likely' } as const;

const message = (name: string, init: Omit<CheckInit, 'section'>): Check => check(CREATE, name, { ...common, ...init });
const tokens = (name: string, init: Omit<CheckInit, 'section'>): Check => check(COUNT, name, { ...common, ...init });

const stopReason = ({ json }: CompleteResponse): string | undefined => textAt(json, 'stop_reason');

function assertText(response: CompleteResponse): void {
  assertConforms(response, messageText(response.json) !== '', 'The message has no text.');
}

/** The call of the message. Throws unless there is one, of the tool and with its input. */
function calledTool(response: CompleteResponse): unknown {
  const [call] = blocksOf(response.json, 'tool_use');
  assertConforms(response, call !== undefined, 'No tool was called.');
  assertConforms(response, textAt(call, 'name') === 'weather', 'Another tool was called.');
  assertConforms(response, (textAt(call, 'id') ?? '') !== '', 'The call has no ID.');
  assertConforms(response, textAt(call, 'input', 'city') !== undefined, 'The input is not an object with a city.');
  return call;
}

/** A conversation in which a tool was called and returned this. */
async function afterCall(context: RunContext, result: object): Promise<CompleteResponse> {
  const called = await createMessage(context, forcedTool);
  const [call] = blocksOf(called.json, 'tool_use');
  if (call === undefined) throw new Skip(`no tool was called: see ${CREATE}/tools.named`);
  const id = textAt(call, 'id');
  const messages = [
    ...toolPrompt.messages,
    { role: 'assistant', content: listAt(called.json, 'content') },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] },
  ];
  return createMessage(context, { ...toolPrompt, messages, tool_choice: { type: 'none' } });
}

/** Create a message, and count its tokens, in the form of the Anthropic Messages API. */
export const messageChecks: readonly Check[] = [
  message('text', {
    title: 'A message of the assistant has a text and says why it ended',
    weight: 3,
    async run(context) {
      const response = await createMessage(context);
      assertText(response);
      assertFields(response, { role: 'assistant', type: 'message' });
      assertConforms(
        response,
        endReasons.has(stopReason(response)),
        `Its stop_reason is ${String(stopReason(response))}.`,
      );
    },
  }),
  message('unknown-path', {
    title: 'Returns 404 with an error of the Messages API for an unknown path',
    weight: 1,
    run: (context) => assertUnknownPath(context, 'POST', '/messages/modelwire-conformance'),
  }),
  message('own-id', {
    title: 'Each message has an ID of its own',
    async run(context) {
      const [one, two] = [await createMessage(context), await createMessage(context, {}, 'another')];
      const id = textAt(two.json, 'id') ?? '';
      assertConforms(two, id !== '' && id !== textAt(one.json, 'id'), `Two have the ID '${id}'.`);
    },
  }),
  message('usage', {
    title: 'The usage counts the tokens of the prompt and of the reply',
    weight: 3,
    async run(context) {
      const response = await createMessage(context);
      assertConforms(response, promptTokens(response.json) > 0, 'The prompt has no tokens.');
      const output = numberAt(response.json, 'usage', 'output_tokens') ?? 0;
      assertConforms(response, output > 0, 'usage.output_tokens is not above 0.');
    },
  }),
  message('max-tokens', {
    title: 'max_tokens limits the reply, whose stop_reason is max_tokens',
    weight: 3,
    async run(context) {
      const response = await createMessage(context, { ...longPrompt, max_tokens: 3 });
      const output = numberAt(response.json, 'usage', 'output_tokens') ?? Infinity;
      assertConforms(response, output <= 3, `The reply has ${output} tokens.`);
      const reason = stopReason(response);
      assertConforms(response, reason === 'max_tokens', `Its stop_reason is ${String(reason)}.`);
    },
  }),
  message('stop-sequences', {
    title: 'A stop sequence ends the reply before it, and is named',
    weight: 3,
    async run(context) {
      const response = await createMessage(context, { ...longPrompt, temperature: 0, stop_sequences: ['e'] });
      assertConforms(response, !messageText(response.json).includes('e'), "The text holds the stop sequence 'e'.");
      assertConforms(
        response,
        stopReason(response) === 'stop_sequence',
        `Its stop_reason is ${String(stopReason(response))}.`,
      );
      assertConforms(response, textAt(response.json, 'stop_sequence') === 'e', "Its stop_sequence is not 'e'.");
    },
  }),
  message('system', {
    title: 'A system prompt is the same as text and as a block',
    async run(context) {
      // Longer than the prompt that some models have by default.
      const system = 'Answer in one sentence, and be polite. '.repeat(20).trim();
      const response = await createMessage(context, { system });
      const blocks = await createMessage(context, { system: [{ type: 'text', text: system }] });
      const without = await createMessage(context);
      assertConforms(
        blocks,
        promptTokens(blocks.json) === promptTokens(response.json),
        'The token counts of the prompts differ.',
      );
      const isCounted = promptTokens(response.json) > promptTokens(without.json);
      assertConforms(response, isCounted, 'The prompt has no more tokens with it.');
    },
  }),
  message('blocks', {
    title: 'Content is the same as text and as a block',
    async run(context) {
      const [{ role, content: text }] = helloMessages;
      const response = await createMessage(context, { messages: [{ role, content: [{ type: 'text', text }] }] });
      assertText(response);
      const same = promptTokens(response.json) === promptTokens((await createMessage(context)).json);
      assertConforms(response, same, 'The token counts of the prompts differ.');
    },
  }),
  message('hints', {
    title: 'Accepts cache_control, metadata and disabled thinking',
    async run(context) {
      const content = [{ type: 'text', text: 'Say hello.', cache_control: { type: 'ephemeral' } }];
      const hints = { metadata: { user_id: 'conformance' }, thinking: { type: 'disabled' } };
      const response = await createMessage(context, { messages: [{ role: 'user', content }], ...hints });
      assertText(response);
      assertConforms(response, blocksOf(response.json, 'thinking').length === 0, 'The message has thinking.');
    },
  }),
  message('key', {
    title: 'Accepts the key in x-api-key, as SDKs send it',
    weight: 3,
    async run(context) {
      const { apiKey } = context.settings;
      if (apiKey === undefined) throw new Skip('this run has no key');
      const call = await messageCall(context, { max_tokens: 256 });
      const headers = { ...call.headers, 'x-api-key': apiKey };
      assertText(await successful(context.send({ ...call, authorization: null, headers })));
    },
  }),
  message('tools.named', {
    title: 'A tool_choice with the name of a tool calls it, with an object as its input',
    weight: 3,
    async run(context) {
      const response = await createMessage(context, forcedTool);
      calledTool(response);
      assertConforms(
        response,
        stopReason(response) === 'tool_use',
        `Its stop_reason is ${String(stopReason(response))}.`,
      );
    },
  }),
  message('tools.any', {
    title: 'tool_choice any calls a tool',
    weight: 3,
    run: async (context) =>
      void calledTool(await createMessage(context, { ...toolPrompt, tool_choice: { type: 'any' } })),
  }),
  message('tools.none', {
    title: 'tool_choice none calls no tool',
    async run(context) {
      const response = await createMessage(context, { ...toolPrompt, tool_choice: { type: 'none' } });
      assertText(response);
      assertConforms(response, blocksOf(response.json, 'tool_use').length === 0, 'A tool was called.');
    },
  }),
  message('tools.result', {
    title: 'A message with a call can be sent back with its result',
    weight: 3,
    run: async (context) => assertText(await afterCall(context, { content: '15 degrees' })),
  }),
  message('tools.error', {
    title: 'The result of a call can be blocks, and an error',
    run: async (context) =>
      assertText(await afterCall(context, { content: [{ type: 'text', text: 'no data' }], is_error: true })),
  }),
  ...messageStreamChecks,
  ...rejects('max-tokens', 'A request without max_tokens is refused', { max_tokens: undefined }),
  ...rejects('messages', 'A request without messages is refused', { messages: undefined }),
  ...rejects('empty', 'An empty list of messages is refused', { messages: [] }),
  ...rejects('role', 'An unknown role is refused', { messages: [{ role: 'smell', content: 'Hello' }] }),
  ...rejects('block', 'A block of an unknown type is refused', {
    messages: [{ role: 'user', content: [{ type: 'smell', smell: 'x' }] }],
  }),
  ...rejects('temperature', 'A temperature below 0 is refused', { temperature: -1 }),
  ...rejects('result', 'The result of a call that was not made is refused', {
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_none', content: 'x' }] }],
  }),
  ...rejects('model', 'An unknown model is refused with a 404', { model: 'no-model-of-this-name' }, [404]),
  ...rejectionChecks(CREATE, 'refuses.broken', {
    ...{ ...common, title: 'A body that is not JSON is refused', field: null },
    call: async (context) => ({
      ...(await withoutBody(context)),
      raw: { content: '{"model":', type: 'application/json' },
    }),
  }),
  ...rejectionChecks(CREATE, 'refuses.key', {
    ...{ ...common, title: 'A wrong key is refused with a 401', field: null, statuses: [401] },
    async call(context) {
      if (context.settings.apiKey === undefined) throw new Skip('this run has no key');
      const headers = { ...(await withoutBody(context)).headers, 'x-api-key': 'modelwire-conformance-wrong-key' };
      return { ...(await messageCall(context, { max_tokens: 256 })), authorization: null, headers };
    },
  }),
  tokens('count', {
    title: 'A prompt has a number of tokens, and a longer one more',
    weight: 3,
    async run(context) {
      const short = numberAt((await countTokens(context)).json, 'input_tokens') ?? 0;
      const response = await countTokens(context, {
        messages: [{ role: 'user', content: 'Tell me at length about rivers. '.repeat(20).trim() }],
      });
      const long = numberAt(response.json, 'input_tokens') ?? 0;
      assertConforms(response, short > 0 && long > short, `The numbers are ${short} and ${long}.`);
    },
  }),
  tokens('tools', {
    title: 'Tools count as tokens',
    // The templates of some models leave tools out.
    certainty: 'opinion',
    async run(context) {
      const { messages } = toolPrompt;
      const without = numberAt((await countTokens(context, { messages })).json, 'input_tokens') ?? Infinity;
      const response = await countTokens(context, toolPrompt);
      const all = numberAt(response.json, 'input_tokens') ?? 0;
      assertConforms(response, all > without, `There are ${all} with tools, and ${without} without.`);
    },
  }),
  tokens('same', {
    title: 'The tokens are those of the usage of a message',
    certainty: 'opinion',
    needs: [CREATE],
    async run(context) {
      const response = await countTokens(context);
      const counted = valueAt(response.json, 'input_tokens');
      const { input_tokens: used } = fieldsOf(valueAt((await createMessage(context)).json, 'usage'));
      assertConforms(response, counted === used, `There are ${String(counted)}, and ${String(used)} in the usage.`);
    },
  }),
  ...rejectionChecks(COUNT, 'refuses.messages', {
    ...{ ...common, title: 'A request without messages is refused', field: null },
    call: (context) => messageCall(context, { messages: undefined }, '/messages/count_tokens'),
  }),
];

async function withoutBody(context: RunContext): Promise<Call> {
  const { body: _, ...call } = await messageCall(context, {});
  return call;
}

function rejects(name: string, title: string, fields: object, statuses: readonly number[] = []): readonly Check[] {
  return rejectionChecks(CREATE, `refuses.${name}`, {
    ...{ ...common, title, field: null, statuses },
    call: (context) => messageCall(context, { max_tokens: 256, ...fields }),
  });
}
