import { contentText, toolInput, toolName } from '@modelwire/adapter-kit';
import type { ChatRequest, WebSearchResult } from '@modelwire/ports';
import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { mediaOf } from './media.ts';
import type { Media } from './media.ts';
import { callsOf } from './segments.ts';

/** The parts of a conversation that a reply is planned from. */
export interface Conversation {
  /** The last user message; empty if there is none. */
  readonly text: string;
  /** Its beginning. Patterns are matched with this, since some would be slow on a long prompt. */
  readonly head: string;
  /** Its images and audio. */
  readonly media: readonly Media[];
  /** The previous user messages, oldest first. */
  readonly earlier: readonly string[];
  /** System and developer messages, without those about a web search. */
  readonly instructions: string;
  /** The calls since the last user message, in order. */
  readonly calls: readonly AnsweredCall[];
  /** The results of a web search; undefined without one. */
  readonly found: readonly WebSearchResult[] | undefined;
}

/** A call of a tool, and what the tool returned. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: string;
  readonly result: string | undefined;
}

const maxHead = 1500;
/** Longer texts are truncated before they are repeated: no reply is longer. */
export const maxQuoted = 32_768;
/**
 * Inputs and results of calls are truncated to this, so that parsing and quoting them takes little time. Longer JSON is no longer valid, and
 * is quoted as text.
 */
const maxResult = 4000;
const searchInstructions = /(?:^|\n)(?:Results of a web|A web) search for "[\s\S]*/;

export function readConversation(request: Pick<ChatRequest, 'messages' | 'search_results'>): Conversation {
  const { messages, search_results: found } = request;
  const users = messages.filter(({ role }) => role === 'user');
  const last = users.pop();
  const text = last ? textOf(last) : '';
  const since = last ? messages.slice(messages.lastIndexOf(last) + 1) : messages;
  const results = since.flatMap((one) => (one.role === 'tool' ? [[one.tool_call_id, textOf(one)] as const] : []));
  const resultOf = new Map(results);
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer').map(textOf);
  return {
    text,
    head: text.slice(0, maxHead).trim(),
    media: last ? mediaOf(last) : [],
    earlier: users.map(textOf),
    instructions: instructions.map((one) => one.slice(0, maxHead).replace(searchInstructions, '')).join('\n'),
    calls: since.flatMap(callsOf).map((call) => ({
      name: toolName(call),
      input: toolInput(call).slice(0, maxResult),
      result: resultOf.get(call.id)?.slice(0, maxResult),
    })),
    found,
  };
}

function textOf(message: ChatCompletionMessageParam): string {
  return contentText(message.content).slice(0, maxQuoted).trim();
}
