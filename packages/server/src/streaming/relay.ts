import { DONE_EVENT, encodeData } from '@modelwire/core';
import type { CompletionUsage } from '@modelwire/schema/types';
import { isTokenCount, readUsage } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Relayed } from '@modelwire/ports';
import type { EventSink } from './event-pipe.ts';
import type { CompletionMetadata } from './completion-metadata.ts';
import { relayWriter } from './relay-writer.ts';
import type { StreamOptions } from './stream.ts';
import { estimateTextTokens } from '../admission/prompt-tokens.ts';
import type { UsageTracker } from '../admission/usage-tracker.ts';

/** JSON of an upstream, not validated. */
interface Json {
  readonly [field: string]: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly service_tier?: unknown;
  readonly index?: unknown;
  readonly finish_reason?: unknown;
  readonly message?: unknown;
  readonly delta?: unknown;
  readonly logprobs?: unknown;
  readonly obfuscation?: unknown;
}

interface RelayOptions {
  readonly metadata: CompletionMetadata;
  /** The number of choices that were requested. */
  readonly choices: number;
  /** The output limit of each choice; undefined if there is none. */
  readonly maxTokens: number | undefined;
  readonly usageTracker: UsageTracker;
}

interface RelayedChoice extends Json {
  readonly message: Json;
}

/**
 * A complete reply of an upstream with the server's ID, time and model. Other fields are kept, and missing required ones are filled in. If the
 * upstream reports no usage, it is estimated for limits and usage records, up to the output limit, but not sent to the client.
 */
export function relayCompletion(completion: Json, { metadata, choices, maxTokens, usageTracker }: RelayOptions): Json {
  if (!Array.isArray(completion.choices)) throw malformed();
  if (completion.choices.length < choices) throw incomplete(completion.choices.length, choices);
  const usage = readUsage(completion.usage);
  const relayed = completion.choices.map(relayedChoice);
  if (usage) usageTracker.report(usage);
  // Some upstreams report the prompt only.
  if (!usage?.completion_tokens) {
    for (const { message } of relayed) usageTracker.count(Math.min(estimateOutput(message), maxTokens ?? Infinity));
  }
  for (const { finish_reason: reason } of relayed) if (typeof reason === 'string') usageTracker.addFinishReason(reason);
  return {
    ...completion,
    id: metadata.id,
    object: 'chat.completion',
    created: metadata.created,
    model: metadata.model,
    choices: relayed,
    ...(usage && { usage: usageTracker.current }),
    service_tier: completion.service_tier ?? metadata.service_tier,
  };
}

/** The tokens of a message, estimated from its text, its reasoning and its tool calls. */
function estimateOutput(message: Json): number {
  let tokens = 0;
  for (const [name, value] of Object.entries(message)) {
    if (value === null || notGenerated.has(name)) continue;
    tokens += estimateTextTokens(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return tokens;
}

/** Fields of a message that are not generated as text. Some upstreams send the reasoning twice. */
const notGenerated = new Set(['role', 'annotations', 'audio', 'reasoning_details']);

function relayedChoice(choice: unknown, index: number): RelayedChoice {
  if (!isObject(choice) || !isObject(choice.message)) throw malformed();
  const message = { role: 'assistant', content: null, refusal: null, ...choice.message };
  const logprobs = isObject(choice.logprobs) ? { content: null, refusal: null, ...choice.logprobs } : null;
  return { index, ...choice, logprobs, message };
}

/**
 * Relays the chunks of an upstream as they arrive (API: Events). Usage is always requested from the upstream, and sent to clients
 * that requested it.
 */
export async function relayStream(
  payloads: Extract<Relayed, { readonly kind: 'stream' }>['payloads'],
  metadata: CompletionMetadata,
  options: StreamOptions,
  sink: EventSink,
  usageTracker: UsageTracker,
): Promise<void> {
  const writer = relayWriter(metadata, options, sink);
  const openedChoices = new Set<unknown>();
  const finishedChoices = new Set<unknown>();

  for await (const relayed of payloads) {
    for (const { text, chunk: value = parse(text), isChanged = false } of relayed) {
      if (!isChanged && writer.repeat(text)) {
        usageTracker.count(1);
        continue;
      }
      if (!isObject(value) || !Array.isArray(value.choices)) throw malformed();
      const usage = readUsage(value.usage);
      if (usage) usageTracker.report(usage);
      const choices: readonly unknown[] = value.choices;
      // The upstream's usage chunk. The server sends its own at the end.
      if (choices.length === 0) continue;
      let changed = isChanged;
      let isDelta = choices.length === 1 && !usage;
      let generated = 0;
      for (const choice of choices) {
        if (!isObject(choice) || !isIndex(choice.index, options.choices)) throw malformed();
        if (hasOutput(choice.delta)) generated += 1;
        if (addRole(choice, openedChoices)) changed = true;
        if (completeLogprobs(choice)) changed = true;
        if (typeof choice.finish_reason === 'string') {
          isDelta = false;
          finishedChoices.add(choice.index);
          usageTracker.addFinishReason(choice.finish_reason);
        }
      }
      usageTracker.count(generated);
      writer.write({ text, chunk: value, changed, isDelta });
    }
    if (sink.isFull) await sink.drained();
    if (sink.isClosed) return;
  }
  if (finishedChoices.size < options.choices) throw incomplete(finishedChoices.size, options.choices);
  if (options.includeUsage) sink.write(encodeData(JSON.stringify(usageChunk(metadata, usageTracker.current))));
  sink.write(DONE_EVENT);
}

/** Whether a delta was generated: the role and the end of a choice are not. */
function hasOutput(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  return Object.entries(delta).some(([name, value]) => name !== 'role' && value !== null && value !== '');
}

/** The first delta of a choice must have the role, which some upstreams omit. Returns whether it was added. */
function addRole(choice: Json, opened: Set<unknown>): boolean {
  if (opened.has(choice.index)) return false;
  opened.add(choice.index);
  if (!isObject(choice.delta) || choice.delta['role'] === 'assistant') return false;
  Object.assign(choice.delta, { role: 'assistant', ...choice.delta });
  return true;
}

/** Some upstreams omit `refusal` of the log probabilities, which is null then. Returns whether it was added. */
function completeLogprobs(choice: Json): boolean {
  if (!isObject(choice.logprobs) || ('content' in choice.logprobs && 'refusal' in choice.logprobs)) return false;
  Object.assign(choice, { logprobs: { content: null, refusal: null, ...choice.logprobs } });
  return true;
}

function isIndex(value: unknown, choices: number): boolean {
  return isTokenCount(value) && value < choices;
}

function usageChunk(metadata: CompletionMetadata, usage: CompletionUsage): Json {
  return { ...metadata, object: 'chat.completion.chunk', choices: [], usage };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An upstream that ignores `n` must not drop choices silently. */
function incomplete(completed: number, requested: number): RequestError {
  return new RequestError(`The model server completed ${completed} of ${requested} choices.`, {
    status: 502,
    code: 'upstream_incomplete',
  });
}

function malformed(): RequestError {
  return new RequestError('The model server sent a malformed reply.', {
    status: 502,
    code: 'upstream_malformed',
  });
}
