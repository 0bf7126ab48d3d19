import * as z from 'zod';
import { chatCompletionCreateParamsSchema } from '@modelwire/schema/internal';
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from '@modelwire/schema/types';
import { quoteAll, unsupported, unsupportedValue } from '../errors.ts';
import type { ChatModel, ChatCapabilities, InputKind, SpeechEngine } from '@modelwire/ports';
import type { ChatParameter } from '@modelwire/ports/internal';
import { chatParameters } from '@modelwire/ports/internal';
import { engineGrammars, supportedToolTypes } from '../structured-output/custom-tools.ts';
import { voiceOf } from '../streaming/transforms/synthesize-speech.ts';

/**
 * Refuses parameters that the model does not support, with a 400 that names the parameter. A parameter with its default value has no effect
 * and is never refused.
 */
export function assertSupported(body: ChatCompletionCreateParams, { id, capabilities }: ChatModel): void {
  assertParametersSupported(body, id, capabilities);
  assertValuesSupported(body, id, capabilities);
  body.messages.forEach((message, index) => assertMessageSupported(message, index, id, capabilities));
}

function assertParametersSupported(
  body: ChatCompletionCreateParams,
  modelId: string,
  { parameters: support }: ChatCapabilities,
): void {
  for (const name of chatParameters) {
    const value = body[name];
    if (support[name] !== 'refused' || value === undefined || value === null || isDefault(name, value)) continue;
    // Voice and format alone do not request speech.
    if (name === 'audio' && !body.modalities?.includes('audio')) continue;
    const hint = name === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
    throw unsupported(name, `Unsupported parameter: '${name}' is not supported with the model '${modelId}'.${hint}`);
  }
}

const parameters: Readonly<Record<string, z.core.$ZodType>> = chatCompletionCreateParamsSchema.shape;

/** Whether a value is the default of the parameter, or asks for nothing. */
function isDefault(name: ChatParameter, value: unknown): boolean {
  switch (name) {
    case 'top_logprobs':
      return value === 0;
    case 'tool_choice':
    case 'function_call':
      // With tools, `auto` is the default. Without tools, it was refused earlier.
      return value === 'none' || value === 'auto';
    case 'stop':
      return Array.isArray(value) && value.length === 0;
    case 'logit_bias':
      return Object.keys(value as object).length === 0;
    case 'modalities':
      return Array.isArray(value) && value.every((modality) => modality === 'text');
    case 'response_format':
      return (value as { readonly type: string }).type === 'text';
    case 'reasoning_effort':
      // The default of a model that reasons: one that does not has none.
      return false;
    default: {
      const schema = parameters[name];
      return schema !== undefined && value === z.globalRegistry.get(schema)?.['default'];
    }
  }
}

function assertValuesSupported(
  body: ChatCompletionCreateParams,
  modelId: string,
  capabilities: ChatCapabilities,
): void {
  if (body.reasoning_effort && capabilities.efforts)
    assertOneOf('reasoning_effort', body.reasoning_effort, capabilities.efforts.values, modelId);
  if (body.verbosity && capabilities.parameters.verbosity !== 'refused')
    assertOneOf('verbosity', body.verbosity, capabilities.verbosities, modelId);
  if (body.service_tier) assertOneOf('service_tier', body.service_tier, capabilities.service_tiers, modelId);
  if (body.response_format)
    assertOneOf('response_format.type', body.response_format.type, supportedFormats(capabilities), modelId);
  body.modalities?.forEach((modality, index) =>
    assertOneOf(`modalities[${index}]`, modality, capabilities.modalities, modelId),
  );
  body.tools?.forEach((tool, index) => {
    assertOneOf(`tools[${index}].type`, tool.type, supportedToolTypes(capabilities), modelId);
    if (tool.type !== 'custom' || tool.custom.format?.type !== 'grammar') return;
    assertOneOf(
      `tools[${index}].custom.format.grammar.syntax`,
      tool.custom.format.grammar.syntax,
      supportedGrammars(capabilities),
      modelId,
    );
  });
}

const allFormats = ['text', 'json_object', 'json_schema'] as const;
const allGrammars = ['lark', 'regex'] as const;

/** Formats that the engine supports, or that the server asks for and checks. */
export function supportedFormats({
  parameters,
  response_formats: formats,
  structured_outputs: mode,
}: ChatCapabilities): ChatCapabilities['response_formats'] {
  return mode === 'off' || parameters.response_format === 'refused' ? formats : allFormats;
}

/** Grammars of custom tools that the engine supports, or that the server asks for and checks. */
export function supportedGrammars(capabilities: ChatCapabilities): ChatCapabilities['grammars'] {
  const isChecked = capabilities.structured_outputs !== 'off' && supportedToolTypes(capabilities).includes('custom');
  return isChecked ? allGrammars : engineGrammars(capabilities);
}

function assertMessageSupported(
  message: ChatCompletionMessageParam,
  index: number,
  modelId: string,
  capabilities: ChatCapabilities,
): void {
  // If functions are emulated, their results become tool messages.
  const role = message.role === 'function' && capabilities.parameters.functions === 'emulated' ? 'tool' : message.role;
  if (!capabilities.roles.includes(role)) assertOneOf(`messages[${index}].role`, role, capabilities.roles, modelId);
  // Fast path: most messages are plain text.
  if (message.role === 'user' && typeof message.content === 'string') return;
  const path = `messages[${index}]`;
  if (message.role === 'assistant') {
    message.tool_calls?.forEach((call, index) =>
      assertOneOf(`${path}.tool_calls[${index}].type`, call.type, supportedToolTypes(capabilities), modelId),
    );
    if (message.function_call && capabilities.parameters.functions === 'refused')
      refuseField(`${path}.function_call`, modelId);
    if (message.audio && !capabilities.modalities.includes('audio')) refuseField(`${path}.audio`, modelId);
  }
  if (message.role !== 'user' || typeof message.content === 'string') return;
  for (const [index, part] of message.content.entries()) {
    // The server reads files for engines without file support.
    if (part.type !== 'file' && !capabilities.inputs.includes(inputKindOfPart[part.type])) {
      throw unsupportedValue(
        `${path}.content[${index}].type`,
        `Unsupported value: '${part.type}' content is not supported with the model '${modelId}'. It takes: ${capabilities.inputs.join(', ')}.`,
      );
    }
  }
}

const inputKindOfPart = { text: 'text', image_url: 'image', input_audio: 'audio' } as const satisfies Record<
  string,
  InputKind
>;

function refuseField(path: string, modelId: string): never {
  throw unsupported(path, `Unsupported parameter: '${path}' is not supported with the model '${modelId}'.`);
}

function assertOneOf(path: string, value: string, allowed: readonly string[], modelId: string): void {
  if (allowed.includes(value)) return;
  throw unsupportedValue(
    path,
    allowed.length === 0
      ? `Unsupported value: '${path}' is not supported with the model '${modelId}'.`
      : `Unsupported value: '${path}' does not support '${value}' with the model '${modelId}'. Supported values are: ${quoteAll(allowed)}.`,
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
      `Unsupported value: 'audio.format' does not support '${format}' on this server. Supported values are: ${quoteAll(speech.formats)}.`,
    );
  }
  if (speech.voices.includes(voiceOf(voice))) return;
  const param = typeof voice === 'string' ? 'audio.voice' : 'audio.voice.id';
  throw unsupportedValue(
    param,
    `Unsupported value: '${param}' does not name a voice of this server. Supported values are: ${quoteAll(speech.voices)}.`,
  );
}

/**
 * Removes from assistant messages what the engine does not support: upstreams reject unknown fields. If there is nothing to remove, the same
 * object is returned.
 *
 * @param isRelayed Whether the engine receives the body of the client: then its reasoning stays, to be moderated and counted.
 */
export function withoutUnsupportedFields(
  body: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
  isRelayed: boolean,
): ChatCompletionCreateParams {
  const takesReasoning = capabilities.reasoning_content || isRelayed;
  if (!body.messages.some((message) => extraFieldsOf(message).length > 0)) return body;
  return {
    ...body,
    messages: body.messages.map((message) => {
      if (message.role !== 'assistant') return message;
      const { provider_metadata: metadata, reasoning_content: reasoning, ...rest } = message;
      return {
        ...rest,
        ...(takesReasoning && reasoning && { reasoning_content: reasoning }),
        ...(capabilities.provider_metadata && metadata && { provider_metadata: metadata }),
      };
    }),
  };
}

function extraFieldsOf(message: ChatCompletionMessageParam): readonly unknown[] {
  if (message.role !== 'assistant') return [];
  return [message.provider_metadata, message.reasoning_content].filter((field) => field !== undefined);
}
