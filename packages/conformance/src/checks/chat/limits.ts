import type { Check } from '../../check.ts';
import { rejectionChecks } from '../refusal.ts';
import type { RejectionInit } from '../refusal.ts';
import { chatCall } from './send.ts';

const CREATE = 'chat.completions.create';
const TOOLS = 'Create chat completion: Tools';

/** The error names the field that starts the name, by default. */
const rejection = (
  name: string,
  title: string,
  fields: object,
  init: Partial<Pick<RejectionInit, 'field' | 'certainty' | 'section'>> = {},
): readonly Check[] =>
  rejectionChecks(CREATE, `refuses.${name}`, {
    title,
    section: 'Create chat completion',
    certainty: 'sure',
    field: name.split('.', 1),
    call: (context) => chatCall(context, fields),
    ...init,
  });
const limit = (name: string, title: string, fields: object) => rejection(name, title, fields, { section: 'Limits' });
const message = (name: string, title: string, fields: object) =>
  rejection(`messages.${name}`, title, fields, { section: 'Create chat completion: Message types' });

const likely = { certainty: 'likely' } as const;
const user = { role: 'user', content: 'Say hello.' };
const withMessages = (...messages: readonly object[]): object => ({ messages });
const parts = (...content: readonly object[]): object => withMessages({ role: 'user', content });
const tool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const functionNamed = (name: string): object => ({ tools: [{ type: 'function', function: { name } }] });
const format = (json_schema: object): object => ({ response_format: { type: 'json_schema', json_schema } });
const metadataPairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

const rejections = [
  rejection('frequency_penalty.above', 'A frequency_penalty above 2 is refused', { frequency_penalty: 2.1 }),
  rejection('frequency_penalty.below', 'A frequency_penalty below -2 is refused', { frequency_penalty: -2.1 }),
  rejection('presence_penalty.above', 'A presence_penalty above 2 is refused', { presence_penalty: 2.1 }),
  rejection('presence_penalty.below', 'A presence_penalty below -2 is refused', { presence_penalty: -2.1 }),
  rejection('temperature.above', 'A temperature above 2 is refused', { temperature: 2.1 }),
  rejection('temperature.below', 'A temperature below 0 is refused', { temperature: -0.1 }),
  rejection('top_p.above', 'A top_p above 1 is refused', { top_p: 1.5 }, likely),
  rejection('top_p.below', 'A top_p below 0 is refused', { top_p: -0.1 }, likely),
  rejection('logit_bias.above', 'A logit_bias above 100 is refused', { logit_bias: { 1000: 101 } }),
  rejection('logit_bias.below', 'A logit_bias below -100 is refused', { logit_bias: { 1000: -101 } }),
  rejection('logit_bias.key', 'Rejects a logit_bias whose key is not a token ID', { logit_bias: { hello: 1 } }, likely),
  rejection('top_logprobs.above', 'Rejects more than 20 top_logprobs', { logprobs: true, top_logprobs: 21 }),
  rejection('top_logprobs.below', 'Rejects negative top_logprobs', { logprobs: true, top_logprobs: -1 }),
  rejection(
    'top_logprobs.alone',
    'Rejects top_logprobs without logprobs',
    { top_logprobs: 2 },
    { field: ['top_logprobs', 'logprobs'] },
  ),
  rejection('stop.five', 'Rejects five stop sequences', { stop: ['a1', 'b1', 'c1', 'd1', 'e1'] }),
  rejection('stop.item', 'Rejects a stop sequence that is not a string', { stop: ['a', 5] }),
  rejection('n.zero', 'Rejects an n of 0', { n: 0 }, likely),
  rejection('n.fraction', 'Rejects an n that is not an integer', { n: 1.5 }),
  rejection(
    'max_completion_tokens.zero',
    'A max_completion_tokens of 0 is refused',
    { max_completion_tokens: 0 },
    likely,
  ),
  rejection('max_completion_tokens.fraction', 'Rejects a max_completion_tokens that is not an integer', {
    max_completion_tokens: 1.5,
  }),
  rejection('max_tokens.zero', 'A max_tokens of 0 is refused', { max_tokens: 0 }, likely),
  rejection('seed.fraction', 'Rejects a seed that is not an integer', { seed: 1.5 }),
  rejection('reasoning_effort.value', 'Rejects an unknown reasoning_effort', { reasoning_effort: 'huge' }),
  rejection('verbosity.value', 'Rejects an unknown verbosity', { verbosity: 'loud' }),
  rejection('service_tier.value', 'Rejects an unknown service_tier', { service_tier: 'gold' }),
  rejection(
    'prompt_cache_retention.value',
    'Rejects an unknown prompt_cache_retention',
    { prompt_cache_retention: '48h' },
    likely,
  ),
  rejection('modalities.value', 'Rejects an unknown modality', { modalities: ['smell'] }),
  rejection(
    'modalities.audio',
    'Rejects the audio modality without audio',
    { modalities: ['text', 'audio'] },
    { field: ['audio', 'modalities'] },
  ),
  rejection(
    'audio.voice',
    'Rejects audio without a voice',
    { modalities: ['text', 'audio'], audio: { format: 'wav' } },
    { field: ['audio', 'modalities'] },
  ),
  rejection(
    'audio.format',
    'Rejects an unknown audio format',
    { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'aiff' } },
    { field: ['audio', 'modalities'] },
  ),
  rejection('prediction.type', 'Rejects an unknown prediction type', { prediction: { type: 'guess', content: 'x' } }),
  rejection('prediction.content', 'Rejects a prediction without content', { prediction: { type: 'content' } }),
  rejection(
    'stream_options.alone',
    'Rejects stream_options without stream',
    { stream_options: { include_usage: true } },
    { field: ['stream_options', 'stream'] },
  ),
  rejection('stream_options.type', 'Rejects an include_usage that is not a boolean', {
    stream: true,
    stream_options: { include_usage: 'yes' },
  }),
  limit('metadata.pairs', 'Rejects more than 16 pairs of metadata', { store: true, metadata: metadataPairs(17) }),
  limit('metadata.key', 'Rejects a metadata key of 65 characters', {
    store: true,
    metadata: { ['k'.repeat(65)]: 'v' },
  }),
  limit('metadata.value', 'Rejects a metadata value of 513 characters', {
    store: true,
    metadata: { k: 'v'.repeat(513) },
  }),
  limit('metadata.number', 'Rejects a metadata value that is not a string', { store: true, metadata: { k: 1 } }),
  rejection('response_format.type', 'Rejects an unknown response_format', { response_format: { type: 'xml' } }),
  rejection('response_format.json_schema', 'Rejects response_format json_schema without json_schema', {
    response_format: { type: 'json_schema' },
  }),
  rejection('response_format.name', 'Rejects a json_schema without a name', format({ schema: { type: 'object' } })),
  limit(
    'response_format.name-characters',
    'Rejects a json_schema name with a space',
    format({ name: 'a b', schema: { type: 'object' } }),
  ),
  limit(
    'response_format.name-length',
    'Rejects a json_schema name of 65 characters',
    format({ name: 'n'.repeat(65), schema: { type: 'object' } }),
  ),
  rejection(
    'response_format.json_object',
    'Rejects json_object without an instruction to produce JSON',
    { response_format: { type: 'json_object' } },
    { ...likely, field: ['messages', 'response_format'] },
  ),
  rejection('web_search_options.size', 'Rejects an unknown search_context_size', {
    web_search_options: { search_context_size: 'huge' },
  }),
  rejection('web_search_options.location', 'Rejects a user_location without approximate', {
    web_search_options: { user_location: { type: 'approximate' } },
  }),
  rejection('model.unknown-type', 'Rejects a null model', { model: null }),
  rejection('messages.empty', 'Rejects an empty list of messages', withMessages(), likely),
  message('role', 'Rejects an unknown role', withMessages({ role: 'robot', content: 'x' })),
  message('no-role', 'Rejects a message without a role', withMessages({ content: 'x' })),
  message('no-content', 'Rejects a user message without content', withMessages({ role: 'user' })),
  message('system-content', 'Rejects a system message without content', withMessages({ role: 'system' }, user)),
  message('part', 'Rejects an unknown content part type', parts({ type: 'smell', smell: 'x' })),
  message('part-text', 'Rejects a text part without text', parts({ type: 'text' })),
  message('part-image', 'Rejects an image part without a url', parts({ type: 'image_url', image_url: {} })),
  message(
    'part-audio',
    'Rejects an unknown input audio format',
    parts({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'ogg' } }),
  ),
  message('part-file', 'Rejects a file part with neither file_id nor file_data', parts({ type: 'file', file: {} })),
  message(
    'system-image',
    'Rejects a system message with an image',
    withMessages(
      { role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      user,
    ),
  ),
  message(
    'assistant',
    'Rejects an assistant message without content and tool calls',
    withMessages(user, { role: 'assistant' }, user),
  ),
  message(
    'refusal-part',
    'Rejects a refusal part together with others',
    withMessages(
      user,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'refusal', refusal: 'b' },
        ],
      },
      user,
    ),
  ),
  message('tool-id', 'Rejects a tool message without tool_call_id', withMessages(user, { role: 'tool', content: 'x' })),
  rejection(
    'messages.tool-orphan',
    'Rejects a tool message for an unknown tool call',
    withMessages(user, { role: 'tool', content: 'x', tool_call_id: 'call_none' }),
    likely,
  ),
  message(
    'function-name',
    'Rejects a function message without a name',
    withMessages(user, { role: 'function', content: 'x' }),
  ),
  message(
    'call-arguments',
    'Rejects a tool call without arguments',
    withMessages(
      user,
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] },
      { role: 'tool', content: 'x', tool_call_id: 'a' },
    ),
  ),
  rejection('tools.type', 'Rejects an unknown tool type', { tools: [{ type: 'browser' }] }, { section: TOOLS }),
  rejection(
    'tools.no-name',
    'Rejects a function without a name',
    { tools: [{ type: 'function', function: {} }] },
    { section: TOOLS },
  ),
  limit('tools.name-characters', 'Rejects a function name with a space', functionNamed('a b')),
  limit('tools.name-length', 'Rejects a function name of 65 characters', functionNamed('n'.repeat(65))),
  limit('tools.custom-name', 'Rejects a custom tool name with a dot', {
    tools: [{ type: 'custom', custom: { name: 'a.b' } }],
  }),
  rejection(
    'tools.grammar',
    'Rejects a custom tool of format grammar without a grammar',
    { tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'grammar' } } }] },
    { section: TOOLS },
  ),
  rejection(
    'tools.grammar-syntax',
    'Rejects an unknown grammar syntax',
    {
      tools: [
        {
          type: 'custom',
          custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'peg', definition: 'x' } } },
        },
      ],
    },
    { section: TOOLS },
  ),
  rejection('tool_choice.value', 'Rejects an unknown tool_choice', { tools: [tool], tool_choice: 'always' }),
  rejection(
    'tool_choice.alone',
    'Rejects tool_choice without tools',
    { tool_choice: 'required' },
    { ...likely, field: ['tool_choice', 'tools'] },
  ),
  rejection(
    'tool_choice.unknown',
    'Rejects a tool_choice that names an unknown tool',
    { tools: [tool], tool_choice: { type: 'function', function: { name: 'other' } } },
    { ...likely, field: ['tool_choice', 'tools'] },
  ),
  rejection('tool_choice.function', 'Rejects tool_choice function without its function', {
    tools: [tool],
    tool_choice: { type: 'function' },
  }),
  rejection('tool_choice.allowed', 'Rejects allowed_tools with mode none', {
    tools: [tool],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'none', tools: [{ type: 'function', function: { name: 'look_up' } }] },
    },
  }),
  rejection('functions.name', 'Rejects a deprecated function without a name', { functions: [{}] }),
  rejection('function_call.name', 'Rejects a deprecated function_call without a name', {
    functions: [{ name: 'f' }],
    function_call: {},
  }),
];

/** Requests beyond the limits, or that break a rule between fields, are rejected. */
export const limitChecks: readonly Check[] = [
  ...rejections.flat(),
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
