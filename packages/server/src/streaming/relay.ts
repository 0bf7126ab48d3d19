import { isTokenCount, parseJson, readUsage } from '@modelwire/adapter-kit';
import { RequestError } from '../errors.ts';
import type { Relayed } from '@modelwire/ports';
import type { ChatCompletion, Message } from '@modelwire/schema/types';
import type { ChunkSink } from './event-pipe.ts';
import type { CompletionMetadata, ChunkOptions } from './chunk-writer.ts';
import { writeChunk, writeUsage } from './chunk-writer.ts';
import { estimateTextTokens } from '../admission/prompt-tokens.ts';
import type { Accountant } from '../admission/accountant.ts';

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
  readonly accountant: Accountant;
}

interface RelayedStreamOptions extends ChunkOptions {
  /** The number of choices that were requested. */
  readonly choices: number;
}

interface RelayedChoice extends Json {
  readonly message: Json;
}

/** A completion of an upstream: only what the server writes into it is certain. */
export interface RelayedCompletion extends Pick<ChatCompletion, 'id' | 'object' | 'created' | 'model' | 'usage'> {
  readonly choices: readonly RelayedChoice[];
  readonly service_tier?: unknown;
}

/** The same for a message of the Messages API. */
export type RelayedMessage = Readonly<Record<string, unknown>> & Pick<Message, 'id' | 'model' | 'usage'>;

/**
 * A complete reply of an upstream with the server's ID, time and model. Other fields are kept, and missing required ones are filled in. If the
 * upstream reports no usage, it is estimated, up to the output limit, as in the usage chunk of a stream.
 */
export function relayCompletion(
  completion: Json,
  { metadata, choices, maxTokens, accountant }: RelayOptions,
): RelayedCompletion {
  if (!Array.isArray(completion.choices)) throw malformed();
  if (completion.choices.length < choices) throw incomplete(completion.choices.length, choices);
  const usage = readUsage(completion.usage);
  const relayed = completion.choices.map(relayedChoice);
  if (usage) accountant.report(usage);
  // Some upstreams report the prompt only.
  if (!usage?.completion_tokens) {
    for (const { message } of relayed) accountant.count(Math.min(estimateOutput(message), maxTokens ?? Infinity));
  }
  for (const { finish_reason: reason } of relayed) if (typeof reason === 'string') accountant.addFinishReason(reason);
  return {
    ...completion,
    id: metadata.id,
    object: 'chat.completion',
    created: metadata.created,
    model: metadata.model,
    choices: relayed,
    usage: accountant.current,
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
  options: RelayedStreamOptions,
  sink: ChunkSink,
  accountant: Accountant,
): Promise<void> {
  const openedChoices = new Set<unknown>();
  const finishedChoices = new Set<unknown>();

  for await (const relayed of payloads) {
    for (const { text, chunk = parseJson(text) } of relayed) {
      if (!isObject(chunk) || !Array.isArray(chunk.choices)) throw malformed();
      const { usage: reported, obfuscation: _, choices: received, ...fields } = chunk;
      const usage = readUsage(reported);
      if (usage) accountant.report(usage);
      const choices: readonly unknown[] = received;
      // The upstream's usage chunk. The server sends its own at the end.
      if (choices.length === 0) continue;
      for (const choice of choices) {
        if (!isObject(choice) || !isIndex(choice.index, options.choices)) throw malformed();
        if (hasOutput(choice.delta)) accountant.count(1);
        addRole(choice, openedChoices);
        completeLogprobs(choice);
        if (typeof choice.finish_reason === 'string') {
          finishedChoices.add(choice.index);
          accountant.addFinishReason(choice.finish_reason);
        }
      }
      writeChunk(sink, fields, metadata, choices, options);
    }
    if (sink.isFull) await sink.drained();
    if (sink.isClosed) return;
  }
  if (finishedChoices.size < options.choices) throw incomplete(finishedChoices.size, options.choices);
  if (options.includeUsage) writeUsage(sink, {}, metadata, accountant.current);
}

/** Whether a delta was generated: the role and the end of a choice are not. */
function hasOutput(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  return Object.entries(delta).some(([name, value]) => name !== 'role' && value !== null && value !== '');
}

/** The first delta of a choice must have the role, which some upstreams omit. */
function addRole(choice: Json, opened: Set<unknown>): void {
  if (opened.has(choice.index)) return;
  opened.add(choice.index);
  if (!isObject(choice.delta) || choice.delta['role'] === 'assistant') return;
  Object.assign(choice.delta, { role: 'assistant', ...choice.delta });
}

/** Some upstreams omit `refusal` of the log probabilities, which is null then. */
function completeLogprobs(choice: Json): void {
  if (!isObject(choice.logprobs) || ('content' in choice.logprobs && 'refusal' in choice.logprobs)) return;
  Object.assign(choice, { logprobs: { content: null, refusal: null, ...choice.logprobs } });
}

function isIndex(value: unknown, choices: number): boolean {
  return isTokenCount(value) && value < choices;
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
