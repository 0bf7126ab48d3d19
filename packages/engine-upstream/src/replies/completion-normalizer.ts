import { isRecord } from '@modelwire/adapter-kit';
import { randomUUID } from 'node:crypto';
import { withoutEndToken, withTokenLogprobs } from './choice-logprobs.ts';
import { choicesOf, isSameUsage, usageOf } from './chunk-normalizer.ts';
import type { ExpectedReply } from './chunk-normalizer.ts';
import { errorFields } from './error-body.ts';
import { endedWithFailure, errorInReply, replyIncomplete } from '../attempts/failures.ts';
import type { FailureInReply } from '../attempts/failures.ts';
import { loggableFinishReason, readFinishReason } from './finish-reason.ts';
import { objectItems } from '../requests/json.ts';
import { withTextContent } from './message-content.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { toChatChoice } from './text-completion-choice.ts';
import { requestedName } from './tool-call-assembler.ts';
import { argumentsText } from './tool-call-arguments.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A whole reply as the API defines it, by the same rules as the chunks of a stream; the object that was read if it was right already. Undefined if
 * it has no choices: it is no completion.
 */
export function normalizeCompletion(
  received: Fields,
  server: ServerSettings,
  expected: ExpectedReply,
): { readonly value: Fields } | FailureInReply | undefined {
  const error = errorFields(received);
  if (error !== undefined) return { failure: errorInReply(error, server) };
  const items = choicesOf(received);
  if (items.length === 0) return undefined;
  if (items.length < expected.choiceCount) {
    return { failure: replyIncomplete(server.name, items.length, expected.choiceCount) };
  }
  const choices: Fields[] = [];
  for (const item of items) {
    const choice = normalizeChoice(item, server, expected);
    if ('failure' in choice) return choice;
    choices.push(choice.value);
  }
  const usage = usageOf(received, items);
  const { choices: before, usage: usageBefore } = received;
  const isRight =
    Array.isArray(before) &&
    choices.every((choice, at) => choice === before[at]) &&
    (isRecord(usageBefore) ? isSameUsage(usage, usageBefore) : usage === undefined);
  return { value: isRight ? received : { ...received, choices, usage } };
}

function normalizeChoice(
  item: Fields,
  server: ServerSettings,
  { choiceCount, toolNames, onUnknownFinishReason }: ExpectedReply,
): { readonly value: Fields } | FailureInReply {
  const error = errorFields({ error: item['error'] });
  if (error !== undefined) return { failure: errorInReply(error, server) };
  let received = withTokenLogprobs(item);
  const message = normalizeMessage(messageOf(received), toolNames);
  const { finish_reason: reason } = received;
  const meaning = readFinishReason(reason);
  if (meaning === 'failed') return { failure: endedWithFailure(server.name, loggableFinishReason(reason)) };
  if (meaning === 'unknown') onUnknownFinishReason?.(server.name, loggableFinishReason(reason));
  // Without a reason that says so, a message ends where its body ends, if it has begun.
  if ((meaning === undefined || meaning === 'unknown') && !hasOutput(message)) {
    return { failure: replyIncomplete(server.name, 0, choiceCount) };
  }
  const finish_reason = meaning === 'length' || meaning === 'content_filter' ? meaning : endOf(message);
  const { content } = message;
  if (finish_reason !== 'length') received = withoutEndToken(received, typeof content === 'string' ? content : '');
  if (message === received['message'] && finish_reason === reason) return { value: received };
  const { delta: _, text: __, ...rest } = received;
  return { value: { ...rest, message, finish_reason } };
}

/** The reason of a reply that was not ended by anything else. */
function endOf({ tool_calls: toolCalls, function_call: functionCall }: Fields): string {
  if (objectItems(toolCalls).length > 0) return 'tool_calls';
  return isRecord(functionCall) ? 'function_call' : 'stop';
}

function messageOf(choice: Fields): Fields {
  if (isRecord(choice['message'])) return choice['message'];
  const { delta } = isRecord(choice['delta']) ? choice : toChatChoice(choice);
  return { role: 'assistant', ...(isRecord(delta) && delta) };
}

function normalizeMessage(received: Fields, toolNames: ReadonlySet<string>): Fields {
  let message = withTextContent(received);
  const { tool_calls: toolCalls, function_call: functionCall } = message;
  if (isRecord(functionCall) && typeof functionCall['arguments'] !== 'string') {
    message = { ...message, function_call: { ...functionCall, arguments: orEmptyObject(functionCall['arguments']) } };
  }
  if (toolCalls === undefined || toolCalls === null) return message;
  const items = isRecord(toolCalls) ? [toolCalls] : objectItems(toolCalls);
  if (items.length === 0) {
    const { tool_calls: _, ...rest } = message;
    return rest;
  }
  const calls = items.map((item) => normalizeCall(item, toolNames));
  const isRight = Array.isArray(toolCalls) && calls.every((call, at) => call === toolCalls[at]);
  return isRight ? message : { ...message, tool_calls: calls };
}

/** A call of a whole message, where every item of the list is a call. */
function normalizeCall(item: Fields, toolNames: ReadonlySet<string>): Fields {
  const kind = isRecord(item['custom']) ? 'custom' : 'function';
  const inner = isRecord(item[kind]) ? item[kind] : { name: item['name'], arguments: item['arguments'] };
  const field = kind === 'function' ? 'arguments' : 'input';
  const input = kind === 'function' ? orEmptyObject(inner[field]) : argumentsText(inner[field]);
  const id = typeof item['id'] === 'string' && item['id'] !== '' ? item['id'] : `call_${randomUUID()}`;
  const name = typeof inner['name'] === 'string' ? requestedName(inner['name'], toolNames) : inner['name'];
  const isSame = inner[field] === input && inner['name'] === name && inner === item[kind];
  if (item['id'] === id && item['type'] === kind && isSame) return item;
  return { ...item, id, type: kind, [kind]: { ...inner, name, [field]: input } };
}

function orEmptyObject(value: unknown): string {
  const text = argumentsText(value);
  return text.trim() === '' ? '{}' : text;
}

function hasOutput(message: Fields): boolean {
  return Object.entries(message).some(
    ([name, value]) =>
      name !== 'role' && (typeof value === 'string' || Array.isArray(value) ? value.length > 0 : isRecord(value)),
  );
}

/** A whole completion as the one chunk of a stream, for a server that does not stream although it was asked to. */
export function completionChunk(completion: Fields): Fields {
  const choices = choicesOf(completion).map(({ message, ...choice }, at) => {
    const { tool_calls: toolCalls, ...delta } = isRecord(message) ? message : {};
    const calls = objectItems(toolCalls).map((call, index) => ({ index, ...call }));
    return { index: at, ...choice, delta: { ...delta, ...(calls.length > 0 && { tool_calls: calls }) } };
  });
  return { ...completion, object: 'chat.completion.chunk', choices };
}
