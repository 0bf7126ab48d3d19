import type { Check } from '../../check.ts';
import type { Certainty } from '../../report.ts';
import { refusal } from '../refusal.ts';
import { chatCall } from './ask.ts';

const CREATE = 'chat.completions.create';
const section = 'Create chat completion';
const MESSAGES = 'Create chat completion: Message types';
const TOOLS = 'Create chat completion: Tools';

interface Row {
  readonly name: string;
  readonly title: string;
  readonly fields: object;
  readonly param: string | readonly string[];
  readonly certainty?: Certainty;
  readonly section?: string;
}

const row = (
  name: string,
  title: string,
  fields: object,
  param: string | readonly string[],
  more: Pick<Row, 'certainty' | 'section'> = {},
): Row => ({ name, title, fields, param, ...more });

const likely = { certainty: 'likely' } as const;
const user = { role: 'user', content: 'Say hello.' };
const talk = (...messages: readonly object[]): object => ({ messages });
const parts = (...content: readonly object[]): object => talk({ role: 'user', content });
const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const named = (name: string): object => ({ tools: [{ type: 'function', function: { name } }] });
const format = (json_schema: object): object => ({ response_format: { type: 'json_schema', json_schema } });
const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

const rows: readonly Row[] = [
  row(
    'frequency_penalty.above',
    'A frequency_penalty above 2 is refused',
    { frequency_penalty: 2.1 },
    'frequency_penalty',
  ),
  row(
    'frequency_penalty.below',
    'A frequency_penalty below -2 is refused',
    { frequency_penalty: -2.1 },
    'frequency_penalty',
  ),
  row('presence_penalty.above', 'A presence_penalty above 2 is refused', { presence_penalty: 2.1 }, 'presence_penalty'),
  row(
    'presence_penalty.below',
    'A presence_penalty below -2 is refused',
    { presence_penalty: -2.1 },
    'presence_penalty',
  ),
  row('temperature.above', 'A temperature above 2 is refused', { temperature: 2.1 }, 'temperature'),
  row('temperature.below', 'A temperature below 0 is refused', { temperature: -0.1 }, 'temperature'),
  row('top_p.above', 'A top_p above 1 is refused', { top_p: 1.5 }, 'top_p', likely),
  row('top_p.below', 'A top_p below 0 is refused', { top_p: -0.1 }, 'top_p', likely),
  row('logit_bias.above', 'A logit_bias above 100 is refused', { logit_bias: { 1000: 101 } }, 'logit_bias'),
  row('logit_bias.below', 'A logit_bias below -100 is refused', { logit_bias: { 1000: -101 } }, 'logit_bias'),
  row(
    'logit_bias.key',
    'Rejects a logit_bias whose key is not a token ID',
    { logit_bias: { hello: 1 } },
    'logit_bias',
    likely,
  ),
  row('top_logprobs.above', 'Rejects more than 20 top_logprobs', { logprobs: true, top_logprobs: 21 }, 'top_logprobs'),
  row('top_logprobs.below', 'Rejects negative top_logprobs', { logprobs: true, top_logprobs: -1 }, 'top_logprobs'),
  row('top_logprobs.alone', 'Rejects top_logprobs without logprobs', { top_logprobs: 2 }, ['top_logprobs', 'logprobs']),
  row('stop.five', 'Rejects five stop sequences', { stop: ['a1', 'b1', 'c1', 'd1', 'e1'] }, 'stop'),
  row('stop.item', 'Rejects a stop sequence that is not a string', { stop: ['a', 5] }, 'stop'),
  row('n.zero', 'Rejects an n of 0', { n: 0 }, 'n', likely),
  row('n.fraction', 'Rejects an n that is not an integer', { n: 1.5 }, 'n'),
  row('max_completion_tokens.zero', 'A max_completion_tokens of 0 is refused', { max_completion_tokens: 0 }, 'max_completion_tokens', likely), // prettier-ignore
  row('max_completion_tokens.fraction', 'Rejects a max_completion_tokens that is not an integer', { max_completion_tokens: 1.5 }, 'max_completion_tokens'), // prettier-ignore
  row('max_tokens.zero', 'A max_tokens of 0 is refused', { max_tokens: 0 }, 'max_tokens', likely),
  row('seed.fraction', 'Rejects a seed that is not an integer', { seed: 1.5 }, 'seed'),
  row(
    'reasoning_effort.value',
    'Rejects an unknown reasoning_effort',
    { reasoning_effort: 'huge' },
    'reasoning_effort',
  ),
  row('verbosity.value', 'Rejects an unknown verbosity', { verbosity: 'loud' }, 'verbosity'),
  row('service_tier.value', 'Rejects an unknown service_tier', { service_tier: 'gold' }, 'service_tier'),
  row('prompt_cache_retention.value', 'Rejects an unknown prompt_cache_retention', { prompt_cache_retention: '48h' }, 'prompt_cache_retention', likely), // prettier-ignore
  row('modalities.value', 'Rejects an unknown modality', { modalities: ['smell'] }, 'modalities'),
  row('modalities.audio', 'Rejects the audio modality without audio', { modalities: ['text', 'audio'] }, [
    'audio',
    'modalities',
  ]),
  row('audio.voice', 'Rejects audio without a voice', { modalities: ['text', 'audio'], audio: { format: 'wav' } }, ['audio', 'modalities']), // prettier-ignore
  row('audio.format', 'Rejects an unknown audio format', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'aiff' } }, ['audio', 'modalities']), // prettier-ignore
  row('prediction.type', 'Rejects an unknown prediction type', { prediction: { type: 'guess', content: 'x' } }, 'prediction'), // prettier-ignore
  row('prediction.content', 'Rejects a prediction without content', { prediction: { type: 'content' } }, 'prediction'),
  row('stream_options.alone', 'Rejects stream_options without stream', { stream_options: { include_usage: true } }, ['stream_options', 'stream']), // prettier-ignore
  row('stream_options.type', 'Rejects an include_usage that is not a boolean', { stream: true, stream_options: { include_usage: 'yes' } }, 'stream_options'), // prettier-ignore
  row('metadata.pairs', 'Rejects more than 16 pairs of metadata', { store: true, metadata: pairs(17) }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.key', 'Rejects a metadata key of 65 characters', { store: true, metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.value', 'Rejects a metadata value of 513 characters', { store: true, metadata: { k: 'v'.repeat(513) } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.number', 'Rejects a metadata value that is not a string', { store: true, metadata: { k: 1 } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('response_format.type', 'Rejects an unknown response_format', { response_format: { type: 'xml' } }, 'response_format'), // prettier-ignore
  row('response_format.json_schema', 'Rejects response_format json_schema without json_schema', { response_format: { type: 'json_schema' } }, 'response_format'), // prettier-ignore
  row(
    'response_format.name',
    'Rejects a json_schema without a name',
    format({ schema: { type: 'object' } }),
    'response_format',
  ),
  row('response_format.name-characters', 'Rejects a json_schema name with a space', format({ name: 'a b', schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  row('response_format.name-length', 'Rejects a json_schema name of 65 characters', format({ name: 'n'.repeat(65), schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  row('response_format.json_object', 'Rejects json_object without an instruction to produce JSON', { response_format: { type: 'json_object' } }, ['messages', 'response_format'], likely), // prettier-ignore
  row('web_search_options.size', 'Rejects an unknown search_context_size', { web_search_options: { search_context_size: 'huge' } }, 'web_search_options'), // prettier-ignore
  row('web_search_options.location', 'Rejects a user_location without approximate', { web_search_options: { user_location: { type: 'approximate' } } }, 'web_search_options'), // prettier-ignore
  row('model.unknown-type', 'Rejects a null model', { model: null }, 'model'),
  row('messages.empty', 'Rejects an empty list of messages', talk(), 'messages', likely),
  row('messages.role', 'Rejects an unknown role', talk({ role: 'robot', content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.no-role', 'Rejects a message without a role', talk({ content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.no-content', 'Rejects a user message without content', talk({ role: 'user' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.system-content', 'Rejects a system message without content', talk({ role: 'system' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part', 'Rejects an unknown content part type', parts({ type: 'smell', smell: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-text', 'Rejects a text part without text', parts({ type: 'text' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.part-image', 'Rejects an image part without a url', parts({ type: 'image_url', image_url: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-audio', 'Rejects an unknown input audio format', parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-file', 'Rejects a file part with neither file_id nor file_data', parts({ type: 'file', file: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.system-image', 'Rejects a system message with an image', talk({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.assistant', 'Rejects an assistant message without content and tool calls', talk(user, { role: 'assistant' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.refusal-part', 'Rejects a refusal part together with others', talk(user, { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'b' }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.tool-id', 'Rejects a tool message without tool_call_id', talk(user, { role: 'tool', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.tool-orphan', 'Rejects a tool message for an unknown tool call', talk(user, { role: 'tool', content: 'x', tool_call_id: 'call_none' }), 'messages', likely), // prettier-ignore
  row('messages.function-name', 'Rejects a function message without a name', talk(user, { role: 'function', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.call-arguments', 'Rejects a tool call without arguments', talk(user, { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] }, { role: 'tool', content: 'x', tool_call_id: 'a' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('tools.type', 'Rejects an unknown tool type', { tools: [{ type: 'browser' }] }, 'tools', {
    section: TOOLS,
  }),
  row('tools.no-name', 'Rejects a function without a name', { tools: [{ type: 'function', function: {} }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row('tools.name-characters', 'Rejects a function name with a space', named('a b'), 'tools', {
    section: 'Limits',
  }),
  row('tools.name-length', 'Rejects a function name of 65 characters', named('n'.repeat(65)), 'tools', { section: 'Limits' }), // prettier-ignore
  row('tools.custom-name', 'Rejects a custom tool name with a dot', { tools: [{ type: 'custom', custom: { name: 'a.b' } }] }, 'tools', { section: 'Limits' }), // prettier-ignore
  row('tools.grammar', 'Rejects a custom tool of format grammar without a grammar', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row('tools.grammar-syntax', 'Rejects an unknown grammar syntax', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'peg', definition: 'x' } } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row('tool_choice.value', 'Rejects an unknown tool_choice', { tools: [tool], tool_choice: 'always' }, 'tool_choice'),
  row(
    'tool_choice.alone',
    'Rejects tool_choice without tools',
    { tool_choice: 'required' },
    ['tool_choice', 'tools'],
    likely,
  ),
  row('tool_choice.unknown', 'Rejects a tool_choice that names an unknown tool', { tools: [tool], tool_choice: { type: 'function', function: { name: 'other' } } }, ['tool_choice', 'tools'], likely), // prettier-ignore
  row('tool_choice.function', 'Rejects tool_choice function without its function', { tools: [tool], tool_choice: { type: 'function' } }, 'tool_choice'), // prettier-ignore
  row('tool_choice.allowed', 'Rejects allowed_tools with mode none', { tools: [tool], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [{ type: 'function', function: { name: 'look_up' } }] } } }, 'tool_choice'), // prettier-ignore
  row('functions.name', 'Rejects a deprecated function without a name', { functions: [{}] }, 'functions'),
  row('function_call.name', 'Rejects a deprecated function_call without a name', { functions: [{ name: 'f' }], function_call: {} }, 'function_call'), // prettier-ignore
];

/** Requests beyond the limits, or that break a rule between fields, are rejected. */
export const limitChecks: readonly Check[] = [
  ...rows.flatMap(
    ({ name, title, fields, param, certainty = 'sure', section: where = section }) =>
    refusal(CREATE, `refuses.${name}`, { title, section: where, certainty, field: param, call: (world) => chatCall(world, fields) }), // prettier-ignore
  ),
  ...refusal(CREATE, 'refuses.model.unknown', {
    title: 'Rejects an unknown model',
    section: 'companion',
    certainty: 'likely',
    field: 'model',
    statuses: [404],
    call: (world) => chatCall(world, { model: `no-model-${world.run}` }),
  }),
  ...refusal(CREATE, 'refuses.streamed', {
    title: 'Rejects an invalid request before its stream starts',
    section: 'Events',
    certainty: 'likely',
    weight: 2,
    field: 'temperature',
    call: (world) => chatCall(world, { stream: true, temperature: 5 }),
  }),
];
