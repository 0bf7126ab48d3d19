import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { invalid, unsupportedValue } from '@modelwire/ports';
import type { LanguageModelV4Message, LanguageModelV4ToolCallPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { ChatCompletionAssistantMessageParam, ChatCompletionToolCall } from '@modelwire/schema/types';
import { readProviderMetadata } from './provider-metadata.ts';
import type { PromptInit } from './prompt-init.ts';
import type { MetadataPart } from './provider-metadata.ts';

type AssistantParts = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** An earlier reply with its reasoning and provider metadata, in the order in which the provider sent the parts. */
export function assistantContent(
  message: ChatCompletionAssistantMessageParam,
  path: string,
  { provider, findMetadata }: Pick<PromptInit, 'provider' | 'findMetadata'>,
): AssistantParts {
  const text = textOf(message);
  const calls = new Map((message.tool_calls ?? []).map((call) => [call.id, toolCallPart(call, path)]));
  const parts: AssistantParts = [];
  const [firstCall] = calls.keys();
  const metadata = message.provider_metadata ?? (firstCall === undefined ? undefined : findMetadata(firstCall));
  const metadataParts = readProviderMetadata(metadata, provider) ?? [];
  // If a client has edited the text, it becomes one part after the reasoning.
  const isTextUnchanged = lengthOf(metadataParts) === text.length;
  let position = 0;
  for (const part of metadataParts) {
    if (part.type === 'reasoning') parts.push({ type: 'reasoning', text: part.text, ...options(part.metadata) });
    else if (part.type === 'text' && isTextUnchanged) {
      const end = position + part.length;
      parts.push({ type: 'text', text: text.slice(position, end), ...options(part.metadata) });
      position = end;
    } else if (part.type === 'tool_call') {
      const call = calls.get(part.id);
      if (!call) continue;
      if (position < text.length) parts.push({ type: 'text', text: text.slice(position) });
      position = text.length;
      parts.push({ ...call, ...options(part.metadata) });
      calls.delete(part.id);
    }
  }
  if (position < text.length) parts.push({ type: 'text', text: text.slice(position) });
  parts.push(...calls.values());
  return parts;
}

/** @throws RequestError 400 for arguments that are not a JSON object. */
export function toolCallPart(call: ChatCompletionToolCall, path: string): LanguageModelV4ToolCallPart {
  if (call.type === 'custom') {
    throw unsupportedValue(`${path}.tool_calls`, `Unsupported value: calls of custom tools are not supported.`);
  }
  const { name, arguments: text } = call.function;
  const input = text.trim() === '' ? {} : parseJson(text);
  if (!isRecord(input)) {
    const param = `${path}.tool_calls`;
    throw invalid(param, `Invalid '${param}': the arguments of the call '${call.id}' are not a JSON object.`);
  }
  return { type: 'tool-call', toolCallId: call.id, toolName: name, input };
}

function lengthOf(parts: readonly MetadataPart[]): number {
  return parts.reduce((sum, part) => (part.type === 'text' ? sum + part.length : sum), 0);
}

function options(metadata: SharedV4ProviderMetadata | undefined): { providerOptions?: SharedV4ProviderMetadata } {
  return metadata === undefined ? {} : { providerOptions: metadata };
}

function textOf({ content, refusal, name }: ChatCompletionAssistantMessageParam): string {
  const contentText =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : part.refusal)).join('');
  const text = contentText === '' ? (refusal ?? '') : contentText;
  return name === undefined || text === '' ? text : `${name}: ${text}`;
}
