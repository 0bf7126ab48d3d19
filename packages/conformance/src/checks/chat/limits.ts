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
    'A logit_bias for what is no token id is refused',
    { logit_bias: { hello: 1 } },
    'logit_bias',
    likely,
  ),
  row(
    'top_logprobs.above',
    'More than 20 top_logprobs are refused',
    { logprobs: true, top_logprobs: 21 },
    'top_logprobs',
  ),
  row(
    'top_logprobs.below',
    'Fewer than 0 top_logprobs are refused',
    { logprobs: true, top_logprobs: -1 },
    'top_logprobs',
  ),
  row('top_logprobs.alone', 'top_logprobs without logprobs is refused', { top_logprobs: 2 }, [
    'top_logprobs',
    'logprobs',
  ]),
  row('stop.five', 'Five stop sequences are refused', { stop: ['a1', 'b1', 'c1', 'd1', 'e1'] }, 'stop'),
  row('stop.item', 'A stop sequence that is no text is refused', { stop: ['a', 5] }, 'stop'),
  row('n.zero', 'An n of 0 is refused', { n: 0 }, 'n', likely),
  row('n.fraction', 'An n that is no integer is refused', { n: 1.5 }, 'n'),
  row('max_completion_tokens.zero', 'A max_completion_tokens of 0 is refused', { max_completion_tokens: 0 }, 'max_completion_tokens', likely), // prettier-ignore
  row('max_completion_tokens.fraction', 'A max_completion_tokens that is no integer is refused', { max_completion_tokens: 1.5 }, 'max_completion_tokens'), // prettier-ignore
  row('max_tokens.zero', 'A max_tokens of 0 is refused', { max_tokens: 0 }, 'max_tokens', likely),
  row('seed.fraction', 'A seed that is no integer is refused', { seed: 1.5 }, 'seed'),
  row(
    'reasoning_effort.value',
    'A reasoning_effort that there is not is refused',
    { reasoning_effort: 'huge' },
    'reasoning_effort',
  ),
  row('verbosity.value', 'A verbosity that there is not is refused', { verbosity: 'loud' }, 'verbosity'),
  row('service_tier.value', 'A service_tier that there is not is refused', { service_tier: 'gold' }, 'service_tier'),
  row('prompt_cache_retention.value', 'A prompt_cache_retention that there is not is refused', { prompt_cache_retention: '48h' }, 'prompt_cache_retention', likely), // prettier-ignore
  row('modalities.value', 'A modality that there is not is refused', { modalities: ['smell'] }, 'modalities'),
  row('modalities.audio', 'Audio output without audio is refused', { modalities: ['text', 'audio'] }, [
    'audio',
    'modalities',
  ]),
  row('audio.voice', 'audio without a voice is refused', { modalities: ['text', 'audio'], audio: { format: 'wav' } }, ['audio', 'modalities']), // prettier-ignore
  row('audio.format', 'audio of a format that there is not is refused', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'aiff' } }, ['audio', 'modalities']), // prettier-ignore
  row('prediction.type', 'A prediction of a type that there is not is refused', { prediction: { type: 'guess', content: 'x' } }, 'prediction'), // prettier-ignore
  row(
    'prediction.content',
    'A prediction without content is refused',
    { prediction: { type: 'content' } },
    'prediction',
  ),
  row('stream_options.alone', 'stream_options without stream is refused', { stream_options: { include_usage: true } }, ['stream_options', 'stream']), // prettier-ignore
  row('stream_options.type', 'An include_usage that is no boolean is refused', { stream: true, stream_options: { include_usage: 'yes' } }, 'stream_options'), // prettier-ignore
  row('metadata.pairs', 'More than 16 pairs of metadata are refused', { store: true, metadata: pairs(17) }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.key', 'A metadata key of 65 characters is refused', { store: true, metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.value', 'A metadata value of 513 characters is refused', { store: true, metadata: { k: 'v'.repeat(513) } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('metadata.number', 'A metadata value that is no text is refused', { store: true, metadata: { k: 1 } }, 'metadata', { section: 'Limits' }), // prettier-ignore
  row('response_format.type', 'A response_format that there is not is refused', { response_format: { type: 'xml' } }, 'response_format'), // prettier-ignore
  row('response_format.json_schema', 'A response_format of type json_schema without json_schema is refused', { response_format: { type: 'json_schema' } }, 'response_format'), // prettier-ignore
  row(
    'response_format.name',
    'A json_schema without a name is refused',
    format({ schema: { type: 'object' } }),
    'response_format',
  ),
  row('response_format.name-characters', 'A json_schema whose name has a space is refused', format({ name: 'a b', schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  row('response_format.name-length', 'A json_schema whose name has 65 characters is refused', format({ name: 'n'.repeat(65), schema: { type: 'object' } }), 'response_format', { section: 'Limits' }), // prettier-ignore
  row('response_format.json_object', 'json_object without an instruction to produce JSON is refused', { response_format: { type: 'json_object' } }, ['messages', 'response_format'], likely), // prettier-ignore
  row('web_search_options.size', 'A search_context_size that there is not is refused', { web_search_options: { search_context_size: 'huge' } }, 'web_search_options'), // prettier-ignore
  row('web_search_options.location', 'A user_location without approximate is refused', { web_search_options: { user_location: { type: 'approximate' } } }, 'web_search_options'), // prettier-ignore
  row('model.unknown-type', 'A model that is null is refused', { model: null }, 'model'),
  row('messages.empty', 'An empty list of messages is refused', talk(), 'messages', likely),
  row('messages.role', 'A role that there is not is refused', talk({ role: 'robot', content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.no-role', 'A message without a role is refused', talk({ content: 'x' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.no-content', 'A user message without content is refused', talk({ role: 'user' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.system-content', 'A system message without content is refused', talk({ role: 'system' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part', 'A content part of a type that there is not is refused', parts({ type: 'smell', smell: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-text', 'A text part without text is refused', parts({ type: 'text' }), 'messages', {
    section: MESSAGES,
  }),
  row('messages.part-image', 'An image part without a url is refused', parts({ type: 'image_url', image_url: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-audio', 'An audio part of a format that there is not is refused', parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.part-file', 'A file part with neither file_id nor file_data is refused', parts({ type: 'file', file: {} }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.system-image', 'A system message with an image is refused', talk({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.assistant', 'An assistant message without content and calls is refused', talk(user, { role: 'assistant' }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.refusal-part', 'A refusal part beside others is refused', talk(user, { role: 'assistant', content: [{ type: 'text', text: 'a' }, { type: 'refusal', refusal: 'b' }] }, user), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.tool-id', 'A tool message without tool_call_id is refused', talk(user, { role: 'tool', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.tool-orphan', 'A tool message that answers no call is refused', talk(user, { role: 'tool', content: 'x', tool_call_id: 'call_none' }), 'messages', likely), // prettier-ignore
  row('messages.function-name', 'A function message without a name is refused', talk(user, { role: 'function', content: 'x' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('messages.call-arguments', 'A call in an assistant message without arguments is refused', talk(user, { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] }, { role: 'tool', content: 'x', tool_call_id: 'a' }), 'messages', { section: MESSAGES }), // prettier-ignore
  row('tools.type', 'A tool of a type that there is not is refused', { tools: [{ type: 'browser' }] }, 'tools', {
    section: TOOLS,
  }),
  row('tools.no-name', 'A function without a name is refused', { tools: [{ type: 'function', function: {} }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row('tools.name-characters', 'A function whose name has a space is refused', named('a b'), 'tools', {
    section: 'Limits',
  }),
  row('tools.name-length', 'A function whose name has 65 characters is refused', named('n'.repeat(65)), 'tools', { section: 'Limits' }), // prettier-ignore
  row('tools.custom-name', 'A custom tool whose name has a dot is refused', { tools: [{ type: 'custom', custom: { name: 'a.b' } }] }, 'tools', { section: 'Limits' }), // prettier-ignore
  row('tools.grammar', 'A custom tool of format grammar without a grammar is refused', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row('tools.grammar-syntax', 'A grammar of a syntax that there is not is refused', { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'peg', definition: 'x' } } } }] }, 'tools', { section: TOOLS }), // prettier-ignore
  row(
    'tool_choice.value',
    'A tool_choice that there is not is refused',
    { tools: [tool], tool_choice: 'always' },
    'tool_choice',
  ),
  row(
    'tool_choice.alone',
    'tool_choice without tools is refused',
    { tool_choice: 'required' },
    ['tool_choice', 'tools'],
    likely,
  ),
  row('tool_choice.unknown', 'A tool_choice that names no tool is refused', { tools: [tool], tool_choice: { type: 'function', function: { name: 'other' } } }, ['tool_choice', 'tools'], likely), // prettier-ignore
  row('tool_choice.function', 'A tool_choice of type function without its function is refused', { tools: [tool], tool_choice: { type: 'function' } }, 'tool_choice'), // prettier-ignore
  row('tool_choice.allowed', 'allowed_tools of mode none is refused', { tools: [tool], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'none', tools: [{ type: 'function', function: { name: 'look_up' } }] } } }, 'tool_choice'), // prettier-ignore
  row('functions.name', 'A function, deprecated, without a name is refused', { functions: [{}] }, 'functions'),
  row('function_call.name', 'A function_call, deprecated, without a name is refused', { functions: [{ name: 'f' }], function_call: {} }, 'function_call'), // prettier-ignore
];

/** What lies outside the limits, or breaks a rule between fields, is refused. */
export const limitChecks: readonly Check[] = [
  ...rows.flatMap(
    ({ name, title, fields, param, certainty = 'sure', section: where = section }) =>
    refusal(CREATE, `refuses.${name}`, { title, section: where, certainty, field: param, call: (world) => chatCall(world, fields) }), // prettier-ignore
  ),
  ...refusal(CREATE, 'refuses.model.unknown', {
    title: 'A model that there is not is refused',
    section: 'companion',
    certainty: 'likely',
    field: 'model',
    statuses: [404],
    call: (world) => chatCall(world, { model: `no-model-${world.run}` }),
  }),
  ...refusal(CREATE, 'refuses.streamed', {
    title: 'A wrong request is refused before its stream begins',
    section: 'Events',
    certainty: 'likely',
    weight: 2,
    field: 'temperature',
    call: (world) => chatCall(world, { stream: true, temperature: 5 }),
  }),
];
