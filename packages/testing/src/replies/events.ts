import { RequestError } from '@modelwire/ports';
import type { ChatEvent, ChatRequest } from '@modelwire/ports';
import type { CompletionUsage, FinishReason, TokenLogprob } from '@modelwire/schema/types';
import type { MatchedReply } from './chat-script.ts';
import { checkJson } from './json-format.ts';
import type { ParsedChoice, ParsedReply } from './rules.ts';
import { fillTemplate, fillTemplates } from './template.ts';
import type { ChatRequestInfo } from './types.ts';

/** The events of a reply, in order. */
export interface RenderedReply {
  /** Each item is sent without delay. */
  readonly events: readonly ChatEvent[];
  readonly usage: CompletionUsage;
}

export interface RenderReplyInit {
  readonly requestInfo: ChatRequestInfo;
  readonly request: Pick<ChatRequest, 'n' | 'logprobs' | 'top_logprobs'>;
  readonly id: (prefix: string) => string;
}

/** The events of a reply, all choices, without any delay. @throws a 400 for JSON that the request's schema does not allow. */
export function renderReply(answer: MatchedReply, init: RenderReplyInit): RenderedReply {
  const constantText = renderConstantText(answer, init);
  if (constantText)
    return { events: constantText.events, usage: usageOf(answer.reply.usage, init.requestInfo, constantText.length) };
  const { reply } = answer;
  const allEvents: ChatEvent[] = [];
  let letters = 0;
  for (let choice = 0; choice < init.request.n; choice++) {
    const choiceReply = reply.choices?.[Math.min(choice, reply.choices.length - 1)] ?? reply;
    const { events, length } = choiceEvents(choiceReply, choice, answer, init);
    for (const event of events) allEvents.push(event);
    letters += length;
  }
  return { events: allEvents, usage: usageOf(reply.usage, init.requestInfo, letters) };
}

interface RenderedText {
  readonly events: readonly ChatEvent[];
  readonly length: number;
}

const renderedTexts = new WeakMap<ParsedReply, { streamed?: RenderedText; single?: RenderedText }>();

/** Texts without templates are split once. A reply that is not streamed is one event. */
function renderConstantText(
  { reply }: MatchedReply,
  { requestInfo, request }: RenderReplyInit,
): RenderedText | undefined {
  const { text, chunks, template, toolCalls, json, refusal, choices, extra } = reply;
  if (toolCalls ?? json ?? refusal ?? choices ?? extra) return undefined;
  if (request.n > 1 || request.logprobs) return undefined;
  const parts = Array.isArray(chunks) ? chunks : text === undefined ? undefined : [text];
  if (!parts || (template !== false && parts.some((part) => part.includes('{{')))) return undefined;
  const cached = renderedTexts.get(reply) ?? {};
  renderedTexts.set(reply, cached);
  const { stream, stop, max_completion_tokens, max_tokens } = requestInfo.body;
  const needsChunks = stream === true || stop != null || (max_completion_tokens ?? max_tokens ?? 0) > 0;
  const fullText = parts.join('');
  const events = (chunkTexts: readonly string[]): RenderedText => ({
    events: [
      ...chunkTexts.map((chunkText): ChatEvent => ({ type: 'text', choice: 0, text: chunkText })),
      { type: 'finish', choice: 0, reason: reply.finishReason ?? 'stop' },
    ],
    length: fullText.length,
  });
  if (!needsChunks && reply.pace === undefined && !reply.error)
    return (cached.single ??= events(fullText === '' ? [] : [fullText]));
  return (cached.streamed ??= events(Array.isArray(chunks) ? chunks : splitIntoChunks(fullText, chunks)));
}

function choiceEvents(
  reply: ParsedChoice,
  choice: number,
  answer: MatchedReply,
  { requestInfo, request, id }: RenderReplyInit,
): RenderedText {
  const values = { requestInfo, groups: answer.groups, count: answer.count };
  const hasNoTemplates = reply.template === false;
  const fill = (text: string): string => (hasNoTemplates ? text : fillTemplate(text, values));
  const events: ChatEvent[] = [];
  let length = 0;
  const json = hasNoTemplates ? reply.json : fillTemplates(reply.json, values);
  if (json !== undefined) checkJson(json, reply.finishReason, { requestInfo, rule: answer.rule });
  if (reply.extra) events.push({ type: 'extra', choice, delta: reply.extra });
  const logprobs = (text: string) =>
    request.logprobs ? { logprobs: [certain(text, request.top_logprobs)] } : undefined;

  if (reply.refusal !== undefined) {
    const refusal = fill(reply.refusal);
    for (const text of splitIntoChunks(refusal, reply.chunks))
      events.push({ type: 'refusal', choice, text, ...logprobs(text) });
    length += refusal.length;
  } else {
    for (const text of textChunks({ ...reply, json }, fill)) {
      events.push({ type: 'text', choice, text, ...logprobs(text) });
      length += text.length;
    }
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const kind = call.input === undefined ? 'function' : 'custom';
    events.push({ type: 'tool_call', choice, index, id: call.id ?? id('call_'), kind, name: call.name });
    const input =
      call.input === undefined ? argumentsText(call.arguments, hasNoTemplates ? undefined : values) : fill(call.input);
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
function textChunks({ text, json, chunks }: ParsedChoice, fill: (text: string) => string): readonly string[] {
  if (Array.isArray(chunks)) return chunks.map(fill);
  if (text === undefined && json === undefined) return [];
  return splitIntoChunks(text === undefined ? JSON.stringify(json) : fill(text), chunks);
}

function argumentsText(input: unknown, values: Parameters<typeof fillTemplates>[1] | undefined): string {
  if (input === undefined) return '{}';
  const value = values ? fillTemplates(input, values) : input;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Splits a text into words with the space before them, or into the given number of pieces of about equal length. Never splits a character. */
function splitIntoChunks(text: string, chunks: number | readonly string[] | undefined): readonly string[] {
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
  const entry = { token, logprob: 0, bytes: [...new TextEncoder().encode(token)] };
  return { ...entry, top_logprobs: top > 0 ? [entry] : [] };
}

function usageOf(
  scripted: Partial<CompletionUsage> | undefined,
  requestInfo: ChatRequestInfo,
  letters: number,
): CompletionUsage {
  const prompt = scripted?.prompt_tokens ?? tokensOf(promptLength(requestInfo));
  const completion = scripted?.completion_tokens ?? tokensOf(letters);
  return { total_tokens: prompt + completion, ...scripted, prompt_tokens: prompt, completion_tokens: completion };
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

export function errorOf(scripted: NonNullable<ParsedReply['error']>): RequestError {
  const { status = 500, message = `A scripted error of status ${status}.`, type, code, param, retryAfter } = scripted;
  return new RequestError(message, {
    status,
    ...(type !== undefined && { type }),
    code: code ?? (status === 429 ? 'rate_limit_exceeded' : null),
    param: param ?? null,
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}
