import { RequestError } from '@modelwire/server';
import type { ChatEvent, ChatRequest } from '@modelwire/server';
import type { CompletionUsage, FinishReason, TokenLogprob } from '@modelwire/schema/types';
import type { MatchedReply } from './chat-script.ts';
import { checkJson } from './json-format.ts';
import type { ParsedChoice, ParsedReply } from './rules.ts';
import { fill, fillValue } from './template.ts';
import type { ChatRequestInfo } from './types.ts';

/** The events of a reply, in order. */
export interface RenderedReply {
  /** Each item is sent without delay. */
  readonly events: readonly ChatEvent[];
  readonly usage: CompletionUsage;
}

export interface RenderReplyInit {
  readonly asked: ChatRequestInfo;
  readonly request: Pick<ChatRequest, 'n' | 'logprobs' | 'top_logprobs'>;
  readonly id: (prefix: string) => string;
}

/** The events of a reply, all choices, without any delay. @throws a 400 for JSON that the request's schema does not allow. */
export function renderReply(answer: MatchedReply, init: RenderReplyInit): RenderedReply {
  const known = fixed(answer, init);
  if (known) return { events: known.events, usage: usageOf(answer.reply.usage, init.asked, known.length) };
  const { reply } = answer;
  const all: ChatEvent[] = [];
  let letters = 0;
  for (let choice = 0; choice < init.request.n; choice++) {
    const own = reply.choices?.[Math.min(choice, reply.choices.length - 1)] ?? reply;
    const { events, length } = choiceEvents(own, choice, answer, init);
    for (const event of events) all.push(event);
    letters += length;
  }
  return { events: all, usage: usageOf(reply.usage, init.asked, letters) };
}

interface Said {
  readonly events: readonly ChatEvent[];
  readonly length: number;
}

const madeBefore = new WeakMap<ParsedReply, { streamed?: Said; whole?: Said }>();

/** Texts without templates are split once. A reply that is not streamed is one event. */
function fixed({ reply }: MatchedReply, { asked, request }: RenderReplyInit): Said | undefined {
  const { text, chunks, template, toolCalls, json, refusal, choices, extra } = reply;
  if (toolCalls ?? json ?? refusal ?? choices ?? extra) return undefined;
  if (request.n > 1 || request.logprobs) return undefined;
  const parts = Array.isArray(chunks) ? chunks : text === undefined ? undefined : [text];
  if (!parts || (template !== false && parts.some((part) => part.includes('{{')))) return undefined;
  const kept = madeBefore.get(reply) ?? {};
  madeBefore.set(reply, kept);
  const { stream, stop, max_completion_tokens, max_tokens } = asked.body;
  const inPieces = stream === true || stop != null || (max_completion_tokens ?? max_tokens ?? 0) > 0;
  const said = parts.join('');
  const events = (pieced: readonly string[]): Said => ({
    events: [
      ...pieced.map((piece): ChatEvent => ({ type: 'text', choice: 0, text: piece })),
      { type: 'finish', choice: 0, reason: reply.finishReason ?? 'stop' },
    ],
    length: said.length,
  });
  if (!inPieces && reply.pace === undefined && !reply.error) return (kept.whole ??= events(said === '' ? [] : [said]));
  return (kept.streamed ??= events(Array.isArray(chunks) ? chunks : splitIntoChunks(said, chunks)));
}

function choiceEvents(
  reply: ParsedChoice,
  choice: number,
  answer: MatchedReply,
  { asked, request, id }: RenderReplyInit,
): Said {
  const facts = { asked, groups: answer.groups, count: answer.count };
  const plain = reply.template === false;
  const filled = (text: string): string => (plain ? text : fill(text, facts));
  const events: ChatEvent[] = [];
  let length = 0;
  const json = plain ? reply.json : fillValue(reply.json, facts);
  if (json !== undefined) checkJson(json, reply.finishReason, { asked, rule: answer.rule });
  if (reply.extra) events.push({ type: 'extra', choice, delta: reply.extra });
  const logprobs = (text: string) =>
    request.logprobs ? { logprobs: [certain(text, request.top_logprobs)] } : undefined;

  if (reply.refusal !== undefined) {
    const refusal = filled(reply.refusal);
    for (const text of splitIntoChunks(refusal, reply.chunks))
      events.push({ type: 'refusal', choice, text, ...logprobs(text) });
    length += refusal.length;
  } else {
    for (const text of textPieces({ ...reply, json }, filled)) {
      events.push({ type: 'text', choice, text, ...logprobs(text) });
      length += text.length;
    }
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const kind = call.input === undefined ? 'function' : 'custom';
    events.push({ type: 'tool_call', choice, index, id: call.id ?? id('call_'), kind, name: call.name });
    const input =
      call.input === undefined ? argumentsText(call.arguments, plain ? undefined : facts) : filled(call.input);
    for (const text of splitIntoChunks(input, typeof reply.chunks === 'number' ? reply.chunks : undefined)) {
      events.push({ type: 'tool_input', choice, index, kind, text });
    }
    length += input.length;
  }
  const reason: FinishReason = reply.finishReason ?? (reply.toolCalls ? 'tool_calls' : 'stop');
  events.push({ type: 'finish', choice, reason });
  return { events, length };
}

/** The templates in `json` have been replaced. */
function textPieces({ text, json, chunks }: ParsedChoice, filled: (text: string) => string): readonly string[] {
  if (Array.isArray(chunks)) return chunks.map(filled);
  if (text === undefined && json === undefined) return [];
  return splitIntoChunks(text === undefined ? JSON.stringify(json) : filled(text), chunks);
}

function argumentsText(given: unknown, facts: Parameters<typeof fillValue>[1] | undefined): string {
  if (given === undefined) return '{}';
  const value = facts ? fillValue(given, facts) : given;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Splits a text into words with the space before them, or into the given number of pieces of about equal length. Never splits a character. */
export function splitIntoChunks(text: string, chunks: number | readonly string[] | undefined): readonly string[] {
  if (text === '') return [];
  if (typeof chunks !== 'number') return text.match(/\s*\S+|\s+$/g) ?? [text];
  const letters = Array.from(text);
  const count = Math.min(chunks, letters.length);
  return Array.from({ length: count }, (_, at) =>
    letters.slice(Math.floor((at * letters.length) / count), Math.floor(((at + 1) * letters.length) / count)).join(''),
  );
}

/** Scripted tokens have the log probability of certainty. */
function certain(token: string, top: number): TokenLogprob {
  const sure = { token, logprob: 0, bytes: [...new TextEncoder().encode(token)] };
  return { ...sure, top_logprobs: top > 0 ? [sure] : [] };
}

function usageOf(
  given: Partial<CompletionUsage> | undefined,
  asked: ChatRequestInfo,
  letters: number,
): CompletionUsage {
  const prompt = given?.prompt_tokens ?? tokensOf(promptLength(asked));
  const completion = given?.completion_tokens ?? tokensOf(letters);
  return { total_tokens: prompt + completion, ...given, prompt_tokens: prompt, completion_tokens: completion };
}

const tokensOf = (letters: number): number => Math.ceil(letters / 4);

function promptLength({ messages }: ChatRequestInfo): number {
  let length = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') length += content.length;
    else for (const part of content ?? []) if (part.type === 'text') length += part.text.length;
  }
  return length;
}

export function errorOf(given: NonNullable<ParsedReply['error']>): RequestError {
  const { status = 500, message = `A scripted error of status ${status}.`, type, code, param, retryAfter } = given;
  return new RequestError(message, {
    status,
    ...(type !== undefined && { type }),
    code: code ?? (status === 429 ? 'rate_limit_exceeded' : null),
    param: param ?? null,
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}
