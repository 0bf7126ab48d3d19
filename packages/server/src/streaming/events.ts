import { addCounts, toCount } from '@modelwire/ports';
import type { ChatEvent, ChatEvents, ChatEngine, ChatRequest } from '@modelwire/ports';
import type { CompletionUsage, ChatCompletionMessageParam } from '@modelwire/schema/types';

/** Yields the events one by one. */
export async function* flat(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const some of isEventBatch(events) ? [events] : events) {
    if (isEventBatch(some)) yield* some;
    else yield some;
  }
}

/** Whether these are several events. A type guard of its own, because `Array.isArray` does not narrow readonly arrays. */
export function isEventBatch(some: ChatEvent | ChatEvents): some is readonly ChatEvent[] {
  return Array.isArray(some);
}

/** Returns the number of generated tokens of an event: text, refusals, reasoning and tool calls count (API: `max_completion_tokens`). */
export function tokensOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'tool_input':
    case 'function_call':
      return event.tokens ?? 1;
    case 'audio':
      return event.tokens ?? (event.transcript === undefined ? 0 : 1);
    case 'extra':
      return 1;
    default:
      return 0;
  }
}

/** Limits reported usage to what the request can mean. @param counted Generated tokens that were counted so far. */
export type BoundReportedUsage = (usage: CompletionUsage, counted: number) => CompletionUsage;

/** Tracks the usage of a reply, also of one that is truncated or aborted. (A class: see docs/decisions/0006.) */
export class UsageTracker {
  #counted = 0;
  #reported: CompletionUsage | undefined;
  #firstTokenAt: number | undefined;
  #isPromptUsed = false;
  readonly #finishReasons: string[] = [];
  readonly #prompt: () => PromptTokens;
  readonly #bound: BoundReportedUsage;

  /** @param bound Limits the usage that the engine reports. Default: it is used unchanged. */
  constructor(prompt: () => PromptTokens, bound: BoundReportedUsage = (usage) => usage) {
    this.#prompt = prompt;
    this.#bound = bound;
  }

  /** Adds generated tokens: those sent to the client, and those that moderation withheld. */
  count(tokens: number): void {
    if (this.#firstTokenAt === undefined && tokens > 0) this.#firstTokenAt = performance.now();
    this.#counted = addCounts(this.#counted, toCount(tokens));
  }

  /** Counts the prompt even if no token was generated: the model may have read it. */
  countPrompt(): void {
    this.#isPromptUsed = true;
  }

  /** When the first token was counted, by `performance.now()`. */
  get firstTokenAt(): number | undefined {
    return this.#firstTokenAt;
  }

  /** Sets the usage that the engine reported; the last one counts. */
  report(usage: CompletionUsage): void {
    this.#reported = this.#bound(usage, this.#counted);
  }

  /** The usage that the engine reported; undefined if it reported none. */
  get reported(): CompletionUsage | undefined {
    return this.#reported;
  }

  /** Adds the finish reason of a choice. */
  addFinishReason(reason: string): void {
    this.#finishReasons.push(reason);
  }

  /** The finish reasons of the choices that have finished. */
  get finishReasons(): readonly string[] {
    return this.#finishReasons;
  }

  /** Whether the prompt's tokens in `current` are estimated: the engine did not report them. */
  get isEstimated(): boolean {
    return this.#lacksPrompt() && this.#prompt().isEstimated;
  }

  /** The usage that is sent to a client that did not request it; undefined if the engine reported none: it is not estimated then. */
  get forClient(): CompletionUsage | undefined {
    return this.#reported && this.current;
  }

  /** The best usage known so far, for limits and usage records; zero for a reply that has not started. */
  get current(): CompletionUsage {
    const reported = this.#reported;
    // An early usage has the prompt's tokens, and not the tokens that were generated since. Some upstreams never report one of the two.
    const completion_tokens = reported && reported.completion_tokens > 0 ? reported.completion_tokens : this.#counted;
    const prompt_tokens = this.#lacksPrompt() ? this.#prompt().tokens : (reported?.prompt_tokens ?? 0);
    if (reported?.prompt_tokens === prompt_tokens && reported.completion_tokens === completion_tokens) return reported;
    return { ...reported, prompt_tokens, completion_tokens, total_tokens: addCounts(prompt_tokens, completion_tokens) };
  }

  /** Whether the prompt was used, and the engine did not report its tokens. */
  #lacksPrompt(): boolean {
    return (this.#reported?.prompt_tokens ?? 0) === 0 && this.#usesPrompt();
  }

  #usesPrompt(): boolean {
    // A reply that ended used the prompt, also if it has no text.
    return this.#isPromptUsed || this.#counted > 0 || this.#finishReasons.length > 0;
  }
}

export interface PromptTokens {
  readonly tokens: number;
  /** Estimated from the length of the texts, because the engine cannot count without generating. */
  readonly isEstimated: boolean;
}

/** Tokens around each message: its role, start and end. */
const tokensPerMessage = 4;
/** Tokens of an image, audio or file. The actual number depends on the model, from about 80 to about 1,500. */
const tokensPerMedia = 1000;
/** English has about four bytes per token; code and other scripts in UTF-8 have about three. */
const bytesPerToken = 3;

/** The tokens of a prompt: counted by the engine, or else estimated, rather too high. Computed once, on first use. */
export function promptTokens(request: ChatRequest, engine: ChatEngine): () => PromptTokens {
  let cached: PromptTokens | undefined;
  return () => {
    if (cached) return cached;
    const counted = engine.countPromptTokens?.(request);
    cached =
      counted === undefined
        ? { tokens: estimate(request), isEstimated: true }
        : { tokens: counted, isEstimated: false };
    return cached;
  };
}

function estimate({ messages, tools, response_format: format }: ChatRequest): number {
  let tokens = 0;
  for (const message of messages) tokens += tokensPerMessage + estimateMessage(message);
  if (tools.length > 0) tokens += estimateTextTokens(JSON.stringify(tools));
  if (format.type === 'json_schema') tokens += estimateTextTokens(JSON.stringify(format.json_schema));
  return tokens;
}

function estimateMessage(message: ChatCompletionMessageParam): number {
  let tokens = 0;
  if (message.role === 'assistant') {
    if (message.tool_calls) tokens += estimateTextTokens(JSON.stringify(message.tool_calls));
    if (message.function_call) tokens += estimateTextTokens(JSON.stringify(message.function_call));
  }
  const { content } = message;
  if (typeof content === 'string') return tokens + estimateTextTokens(content);
  for (const part of content ?? []) {
    if (part.type === 'text') tokens += estimateTextTokens(part.text);
    else if (part.type === 'refusal') tokens += estimateTextTokens(part.refusal);
    else tokens += tokensPerMedia;
  }
  return tokens;
}

/** Estimates the tokens of a text, rather too high. */
export function estimateTextTokens(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Each half of a surrogate pair is two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
  }
  return Math.ceil(bytes / bytesPerToken);
}
