import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from '@modelwire/schema/types';
import { unsupported, unsupportedValue } from '../errors.ts';
import type { ChatModel, ChatCapabilities, InputKind, ChatParameter, SpeechEngine } from '@modelwire/ports';
import { chatParameters } from '@modelwire/ports';
import { voiceOf } from '../streaming/transforms/synthesize-speech.ts';

/**
 * Refuses parameters that the model does not support, with a 400 that names the parameter. A parameter with its default value has no effect
 * and is never refused.
 */
export function assertSupported(requestBody: ChatCompletionCreateParams, { id, capabilities }: ChatModel): void {
  assertNotRefused(requestBody, id, refusedBy(capabilities));
  assertValuesSupported(requestBody, id, capabilities);
  requestBody.messages.forEach((message, index) => assertMessageSupported(message, index, id, capabilities));
}

const refusedParameters = new WeakMap<ChatCapabilities, ReadonlySet<ChatParameter>>();

/** Computed once for each model. */
function refusedBy(capabilities: ChatCapabilities): ReadonlySet<ChatParameter> {
  let names = refusedParameters.get(capabilities);
  if (!names) {
    names = new Set(chatParameters.filter((name) => capabilities.parameters[name] === 'refused'));
    refusedParameters.set(capabilities, names);
  }
  return names;
}

function assertNotRefused(
  requestBody: ChatCompletionCreateParams,
  id: string,
  refused: ReadonlySet<ChatParameter>,
): void {
  if (!hasAny(requestBody, refused)) return;
  for (const name of refused) {
    const value = requestBody[name];
    if (value === undefined || value === null || isDefault(name, value)) continue;
    // Voice and format alone do not request speech.
    if (name === 'audio' && !requestBody.modalities?.includes('audio')) continue;
    const instead = name === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
    throw unsupported(name, `Unsupported parameter: '${name}' is not supported with the model '${id}'.${instead}`);
  }
}

/** Whether a request has one of the fields. Most have two or three: looking these up takes a fraction of the time of reading twenty others. */
function hasAny(requestBody: object, names: ReadonlySet<string>): boolean {
  return Object.keys(requestBody).some((name) => names.has(name));
}

/** Whether a value is the default in the request table (API: Create chat completion). */
function isDefault(name: ChatParameter, value: unknown): boolean {
  switch (name) {
    case 'frequency_penalty':
    case 'presence_penalty':
    case 'top_logprobs':
      return value === 0;
    case 'temperature':
    case 'top_p':
    case 'n':
      return value === 1;
    case 'logprobs':
      return value === false;
    case 'parallel_tool_calls':
      return value === true;
    case 'tool_choice':
    case 'function_call':
      // With tools `auto` is the default; without tools it has been refused before.
      return value === 'none' || value === 'auto';
    case 'verbosity':
      return value === 'medium';
    case 'stop':
      return Array.isArray(value) && value.length === 0;
    case 'logit_bias':
      return Object.keys(value as object).length === 0;
    case 'modalities':
      return Array.isArray(value) && value.every((modality) => modality === 'text');
    case 'response_format':
      return (value as { readonly type: string }).type === 'text';
    default:
      return false;
  }
}

function assertValuesSupported(requestBody: ChatCompletionCreateParams, id: string, can: ChatCapabilities): void {
  if (requestBody.reasoning_effort && can.efforts)
    oneOf('reasoning_effort', requestBody.reasoning_effort, can.efforts.values, id);
  if (requestBody.verbosity && can.parameters.verbosity !== 'refused')
    oneOf('verbosity', requestBody.verbosity, can.verbosities, id);
  if (requestBody.service_tier) oneOf('service_tier', requestBody.service_tier, can.service_tiers, id);
  if (requestBody.response_format && can.parameters.response_format !== 'emulated')
    oneOf('response_format.type', requestBody.response_format.type, can.response_formats, id);
  requestBody.modalities?.forEach((modality, index) => oneOf(`modalities[${index}]`, modality, can.modalities, id));
  requestBody.tools?.forEach((tool, index) => {
    oneOf(`tools[${index}].type`, tool.type, can.tool_types, id);
    if (tool.type !== 'custom' || tool.custom.format?.type !== 'grammar') return;
    oneOf(`tools[${index}].custom.format.grammar.syntax`, tool.custom.format.grammar.syntax, can.grammars, id);
  });
}

function assertMessageSupported(
  message: ChatCompletionMessageParam,
  index: number,
  id: string,
  can: ChatCapabilities,
): void {
  // If functions are emulated, their results become tool messages.
  const role = message.role === 'function' && can.parameters.functions === 'emulated' ? 'tool' : message.role;
  if (!can.roles.includes(role)) oneOf(`messages[${index}].role`, role, can.roles, id);
  // Fast path: most messages only have text.
  if (message.role === 'user' && typeof message.content === 'string') return;
  const path = `messages[${index}]`;
  if (message.role === 'assistant') {
    message.tool_calls?.forEach((call, index) =>
      oneOf(`${path}.tool_calls[${index}].type`, call.type, can.tool_types, id),
    );
    if (message.function_call && can.parameters.functions === 'refused') refuseField(`${path}.function_call`, id);
    if (message.audio && !can.modalities.includes('audio')) refuseField(`${path}.audio`, id);
  }
  if (message.role !== 'user' || typeof message.content === 'string') return;
  for (const [index, part] of message.content.entries()) {
    // The server reads files for engines without file support.
    if (part.type !== 'file' && !can.inputs.includes(inputKind[part.type])) {
      throw unsupportedValue(
        `${path}.content[${index}].type`,
        `Unsupported value: '${part.type}' content is not supported with the model '${id}'. It takes: ${can.inputs.join(', ')}.`,
      );
    }
  }
}

const inputKind = { text: 'text', image_url: 'image', input_audio: 'audio' } as const satisfies Record<
  string,
  InputKind
>;

function refuseField(path: string, id: string): never {
  throw unsupported(path, `Unsupported parameter: '${path}' is not supported with the model '${id}'.`);
}

function oneOf(path: string, value: string, allowed: readonly string[], id: string): void {
  if (allowed.includes(value)) return;
  throw unsupportedValue(
    path,
    allowed.length === 0
      ? `Unsupported value: '${path}' is not supported with the model '${id}'.`
      : `Unsupported value: '${path}' does not support '${value}' with the model '${id}'. Supported values are: ${allowed.map((one) => `'${one}'`).join(', ')}.`,
  );
}

/** Refuses a voice or format that the speech engine of the server does not support, if the server synthesizes the reply (API: `audio`). */
export function assertSpeechSupported(
  { audio, modalities }: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
  speech: SpeechEngine | undefined,
): void {
  if (!audio || !modalities?.includes('audio') || capabilities.parameters.audio !== 'emulated' || !speech) return;
  const { voice, format } = audio;
  if (!speech.formats.includes(format)) {
    throw unsupportedValue(
      'audio.format',
      `Unsupported value: 'audio.format' does not support '${format}' on this server. Supported values are: ${quoted(speech.formats)}.`,
    );
  }
  if (speech.voices.includes(voiceOf(voice))) return;
  const param = typeof voice === 'string' ? 'audio.voice' : 'audio.voice.id';
  throw unsupportedValue(
    param,
    `Unsupported value: '${param}' does not name a voice of this server. Supported values are: ${quoted(speech.voices)}.`,
  );
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
