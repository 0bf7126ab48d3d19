import type { Check } from '../../check.ts';
import type { Certainty } from '../../report.ts';
import { rejectionChecks } from '../refusal.ts';
import { chatCall } from './send.ts';

const CREATE = 'chat.completions.create';
const section = 'Create chat completion';
const MESSAGES = 'Create chat completion: Message types';
const TOOLS = 'Create chat completion: Tools';

interface Rejection {
  readonly name: string;
  readonly title: string;
  readonly fields: object;
  readonly param: string | readonly string[];
  readonly certainty?: Certainty;
  readonly section?: string;
}

const rejection = (
  name: string,
  title: string,
  fields: object,
  param: string | readonly string[],
  more: Pick<Rejection, 'certainty' | 'section'> = {},
): Rejection => ({ name, title, fields, param, ...more });

const likely = { certainty: 'likely' } as const;
const user = { role: 'user', content: 'Say hello.' };
const withMessages = (...messages: readonly object[]): object => ({ messages });
const parts = (...content: readonly object[]): object => withMessages({ role: 'user', content });
const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const functionNamed = (name: string): object => ({ tools: [{ type: 'function', function: { name } }] });
const format = (json_schema: object): object => ({ response_format: { type: 'json_schema', json_schema } });
const metadataPairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

const rejections: readonly Rejection[] = [
  rejection(
    'frequency_penalty.above',
    'A frequency_penalty above 2 is refused',
    { frequency_penalty: 2.1 },
    'frequency_penalty',
  ),
  rejection(
    'frequency_penalty.below',
    'A frequency_penalty below -2 is refused',
    { frequency_penalty: -2.1 },
    'frequency_penalty',
  ),
  rejection(
    'presence_penalty.above',
    'A presence_penalty above 2 is refused',
    { presence_penalty: 2.1 },
    'presence_penalty',
  ),
  rejection(
    'presence_penalty.below',
    'A presence_penalty below -2 is refused',
    { presence_penalty: -2.1 },
    'presence_penalty',
  ),
  rejection('temperature.above', 'A temperature above 2 is refused', { temperature: 2.1 }, 'temperature'),
  rejection('temperature.below', 'A temperature below 0 is refused', { temperature: -0.1 }, 'temperature'),
  rejection('top_p.above', 'A top_p above 1 is refused', { top_p: 1.5 }, 'top_p', likely),
  rejection('top_p.below', 'A top_p below 0 is refused', { top_p: -0.1 }, 'top_p', likely),
  rejection('logit_bias.above', 'A logit_bias above 100 is refused', { logit_bias: { 1000: 101 } }, 'logit_bias'),
  rejection('logit_bias.below', 'A logit_bias below -100 is refused', { logit_bias: { 1000: -101 } }, 'logit_bias'),
  rejection(
    'logit_bias.key',
    'Rejects a logit_bias whose key is not a token ID',
    { logit_bias: { hello: 1 } },
    'logit_bias',
    likely,
  ),
  rejection(
    'top_logprobs.above',
    'Rejects more than 20 top_logprobs',
    { logprobs: true, top_logprobs: 21 },
    'top_logprobs',
  ),
  rejection(
    'top_logprobs.below',
    'Rejects negative top_logprobs',
    { logprobs: true, top_logprobs: -1 },
    'top_logprobs',
  ),
  rejection('top_logprobs.alone', 'Rejects top_logprobs without logprobs', { top_logprobs: 2 }, [
    'top_logprobs',
    'logprobs',
  ]),
  rejection('stop.five', 'Rejects five stop sequences', { stop: ['a1', 'b1', 'c1', 'd1', 'e1'] }, 'stop'),
  rejection('stop.item', 'Rejects a stop sequence that is not a string', { stop: ['a', 5] }, 'stop'),
  rejection('n.zero', 'Rejects an n of 0', { n: 0 }, 'n', likely),
  rejection('n.fraction', 'Rejects an n that is not an integer', { n: 1.5 }, 'n'),
  rejection('max_completion_tokens.zero', 'A max_completion_tokens of 0 is refused', { max_completion_tokens: 0 }, 'max_completion_tokens', likely), // prettier-ignore
  rejection('max_completion_tokens.fraction', 'Rejects a max_completion_tokens that is not an integer', { max_completion_tokens: 1.5 }, 'max_completion_tokens'), // prettier-ignore
  rejection('max_tokens.zero', 'A max_tokens of 0 is refused', { max_tokens: 0 }, 'max_tokens', likely),
  rejection('seed.fraction', 'Rejects a seed that is not an integer', { seed: 1.5 }, 'seed'),
  rejection(
    'reasoning_effort.value',
    'Rejects an unknown reasoning_effort',
    { reasoning_effort: 'huge' },
    'reasoning_effort',
  ),
  rejection('verbosity.value', 'Rejects an unknown verbosity', { verbosity: 'loud' }, 'verbosity'),
  rejection('service_tier.value', 'Rejects an unknown service_tier', { service_tier: 'gold' }, 'service_tier'),
  rejection('prompt_cache_retention.value', 'Rejects an unknown prompt_cache_retention', { prompt_cache_retention: '48h' }, 'prompt_cache_retention', likely), // prettier-ignore
  rejection('modalities.value', 'Rejects an unknown modality', { modalities: ['smell'] }, 'modalities'),
  rejection('modalities.audio', 'Rejects the audio modality without audio', { modalities: ['text', 'audio'] }, [
    'audio',
    'modalities',
  ]),
  rejection('audio.voice', 'Rejects audio without a voice', { modalities: ['text', 'audio'], audio: { format: 'wav' } }, ['audio', 'modalities']), // prettier-ignore
  rejection('audio.format', 'Rejects an unknown audio format', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'aiff' } }, ['audio', 'modalities']), // prettier-ignore
  rejection('prediction.type', 'Rejects an unknown prediction type', { prediction: { type: 'guess', content: 'x' } }, 'prediction'), // prettier-ignore
  rejection(
    'prediction.content',
    'Rejects a prediction without content',
    { prediction: { type: 'content' } },
    'prediction',
  ),
  rejection('stream_options.alone', 'Rejects stream_options without stream', { stream_options: { include_usage: true } }, ['stream_options', 'stream']), // prettier-ignore
  rejection('stream_options.type', 'Rejects an include_usage that is not a boolean', { stream: true, stream_options: { include_usage: 'yes' } }, 'stream_options'), // prettier-ignore
  rejection('metadata.pairs', 'Rejects more than 16 pairs of metadata', { store: true, metadata: metadataPairs(17) }, 'metadata', { section: 'Limits' }), // prettier-ignore
  rejection('metadata.key', 'Rejects a metadata key of 65 characters', { store: true, metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  rejection('metadata.value', 'Rejects a metadata value of 513 characters', { store: true, metadata: { k: 'v'.repeat(513) } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  rejection('metadata.number', 'Rejects a metadata value that is not a string', { store: true, metadata: { k: 1 } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  rejection('response_format.type', 'Rejects an unknown response_format', { response_format: { type: 'xml' } }, 'response_format'), // prettier-ignore
  rejection('response_format.json_schema', 'Rejects response_format json_schema without json_schema', { response_format: { type: 'json_schema' } }, 'response_format'), // prettier-ignore
  rejection(
    'response_format.name',
    'Rejects a json_schema without a name',
    format({ schema: { type: 'object' } }),
    'response_format',
  ),
  rejection('response_format.name-characters', 'Rejects a json_schema name with a space', format({ name: 'a b', schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  rejection('response_format.name-length', 'Rejects a json_schema name of 65 characters', format({ name: 'n'.repeat(65), schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  rejection('response_format.json_object', 'Rejects json_object without an instruction to produce JSON', { response_format: { type: 'json_object' } }, ['messages', 'response_format'], likely), // prettier-ignore
  rejection('web_search_options.size', 'Rejects an unknown search_context_size', { web_search_options: { search_context_size: 'huge' } }, 'web_search_options'), // prettier-ignore
  rejection('web_search_options.location', 'Rejects a user_location without approximate', { web_search_options: { user_location: { type: 'approximate' } } }, 'web_search_options'), // prettier-ignore
  rejection('model.unknown-type', 'Rejects a null model', { model: null }, 'model'),
  rejection('messages.empty', 'Rejects an empty list of messages', withMessages(), 'messages', likely),
  rejection('messages.role', 'Rejects an unknown role', withMessages({ role: 'robot', content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  rejection('messages.no-role', 'Rejects a message without a role', withMessages({ content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  rejection(
    'messages.no-content',
    'Rejects a user message without content',
    withMessages({ role: 'user' }),
    'messages',
    {
      section: MESSAGES,
    },
  ),
  rejection('messages.system-content', 'Rejects a system message without content', withMessages({ role: 'system' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.part', 'Rejects an unknown content part type', parts({ type: 'smell', smell: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.part-text', 'Rejects a text part without text', parts({ type: 'text' }), 'messages', {
    section: MESSAGES,
  }),
  rejection('messages.part-image', 'Rejects an image part without a url', parts({ type: 'image_url', image_url: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.part-audio', 'Rejects an unknown input audio format', parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.part-file', 'Rejects a file part with neither file_id nor file_data', parts({ type: 'file', file: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.system-image', 'Rejects a system message with an image', withMessages({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.assistant', 'Rejects an assistant message without content and tool calls', withMessages(user, { role: 'assistant' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.refusal-part', 'Rejects a refusal part together with others', withMessages(user, { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'b' }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.tool-id', 'Rejects a tool message without tool_call_id', withMessages(user, { role: 'tool', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.tool-orphan', 'Rejects a tool message for an unknown tool call', withMessages(user, { role: 'tool', content: 'x', tool_call_id: 'call_none' }), 'messages', likely), // prettier-ignore
  rejection('messages.function-name', 'Rejects a function message without a name', withMessages(user, { role: 'function', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('messages.call-arguments', 'Rejects a tool call without arguments', withMessages(user, { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] }, { role: 'tool', content: 'x', tool_call_id: 'a' }), 'messages', { section: MESSAGES }), // prettier-ignore
  rejection('tools.type', 'Rejects an unknown tool type', { tools: [{ type: 'browser' }] }, 'tools', {
    section: TOOLS,
  }),
  rejection('tools.no-name', 'Rejects a function without a name', { tools: [{ type: 'function', function: {} }] }, 'tools', { section: TOOLS }), // prettier-ignore
  rejection('tools.name-characters', 'Rejects a function name with a space', functionNamed('a b'), 'tools', {
    section: 'Limits',
  }),
  rejection('tools.name-length', 'Rejects a function name of 65 characters', functionNamed('n'.repeat(65)), 'tools', { section: 'Limits' }), // prettier-ignore
  rejection('tools.custom-name', 'Rejects a custom tool name with a dot', { tools: [{ type: 'custom', custom: { name: 'a.b' } }] }, 'tools', { section: 'Limits' }), // prettier-ignore
  rejection('tools.grammar', 'Rejects a custom tool of format grammar without a grammar', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  rejection('tools.grammar-syntax', 'Rejects an unknown grammar syntax', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'peg', definition: 'x' } } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  rejection(
    'tool_choice.value',
    'Rejects an unknown tool_choice',
    { tools: [tool], tool_choice: 'always' },
    'tool_choice',
  ),
  rejection(
    'tool_choice.alone',
    'Rejects tool_choice without tools',
    { tool_choice: 'required' },
    ['tool_choice', 'tools'],
    likely,
  ),
  rejection('tool_choice.unknown', 'Rejects a tool_choice that names an unknown tool', { tools: [tool], tool_choice: { type: 'function', function: { name: 'other' } } }, ['tool_choice', 'tools'], likely), // prettier-ignore
  rejection('tool_choice.function', 'Rejects tool_choice function without its function', { tools: [tool], tool_choice: { type: 'function' } }, 'tool_choice'), // prettier-ignore
  rejection('tool_choice.allowed', 'Rejects allowed_tools with mode none', { tools: [tool], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [{ type: 'function', function: { name: 'look_up' } }] } } }, 'tool_choice'), // prettier-ignore
  rejection('functions.name', 'Rejects a deprecated function without a name', { functions: [{}] }, 'functions'),
  rejection('function_call.name', 'Rejects a deprecated function_call without a name', { functions: [{ name: 'f' }], function_call: {} }, 'function_call'), // prettier-ignore
];

/** Requests beyond the limits, or that break a rule between fields, are rejected. */
export const limitChecks: readonly Check[] = [
  ...rejections.flatMap(
    ({ name, title, fields, param, certainty = 'sure', section: where = section }) =>
    rejectionChecks(CREATE, `refuses.${name}`, { title, section: where, certainty, field: param, call: (context) => chatCall(context, fields) }), // prettier-ignore
  ),
  ...rejectionChecks(CREATE, 'refuses.model.unknown', {
    title: 'Rejects an unknown model',
    section: 'companion',
    certainty: 'likely',
    field: 'model',
    statuses: [404],
    call: (context) => chatCall(context, { model: `no-model-${context.runId}` }),
  }),
  ...rejectionChecks(CREATE, 'refuses.streamed', {
    title: 'Rejects an invalid request before its stream starts',
    section: 'Events',
    certainty: 'likely',
    weight: 2,
    field: 'temperature',
    call: (context) => chatCall(context, { stream: true, temperature: 5 }),
  }),
];
