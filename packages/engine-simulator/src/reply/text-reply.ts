import type { ReasoningEffort } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { readConversation } from '../prompt/conversation.ts';
import type { Conversation } from '../prompt/conversation.ts';
import { mediaOf } from '../prompt/media.ts';
import type { Piece } from '../sampling/walk.ts';
import { quote } from './reply.ts';
import type { Reply } from './reply.ts';
import { mediaReply, searchResults, toolResults } from './results.ts';
import { templates } from './templates.ts';

const details = { low: 0, medium: 1, high: 2 } as const;
const searchInstructions = /(?:^|\n)(?:Results of a web|A web) search for "[\s\S]*/;

export interface TextReply {
  readonly pieces: readonly Piece[];
  /** The most likely reply, for fields that contain an answer. */
  readonly text: string;
  readonly word: string | undefined;
}

/** A text reply: from results of tools or of a search or from media, else from the first template that matches the prompt. */
export function textReply(request: Pick<ChatRequest, 'messages' | 'verbosity' | 'search_results'>): TextReply {
  const { messages, verbosity, search_results: found } = request;
  const read = readConversation(messages);
  // Instructions in search results are ignored.
  const conversation = found ? { ...read, instructions: read.instructions.replace(searchInstructions, '') } : read;
  const lastUser = messages.findLast(({ role }) => role === 'user');
  const reply = toolResults(conversation.calls) ??
    (found && searchResults(found)) ??
    mediaReply(lastUser ? mediaOf(lastUser) : []) ??
    templates.reduce<ReturnType<(typeof templates)[number]>>(
      (reply, template) => reply ?? template(conversation),
      undefined,
    ) ?? {
      // prettier-ignore
      lines: [],
    };
  const pieces = formatReply(reply, conversation, details[verbosity]);
  const text = pieces.map(([first]) => first).join('').trim(); // prettier-ignore
  return { pieces, text, word: reply.word?.replace(/\.$/, '') };
}

/** The pieces of a reply in the form that system messages and the prompt request. `detail`: the requested `verbosity`. */
function formatReply({ lines, word }: Reply, { head, instructions }: Conversation, detail: number): Piece[] {
  // The instructions of a long prompt are at its end: the text before it may mention one word.
  const text = `${instructions}\n${head.length > 400 ? head.slice(-160) : head}`;
  const [, fixed] = /\b(?:always|only|just|must) (?:reply|respond|answer|say)(?: only| with| exactly)*:? ?["“'‘](.{1,200}?)["”'’]/i.exec(instructions) ?? []; // prettier-ignore
  if (fixed !== undefined) return [[fixed]];
  const isBrief = /\b(?:brief|briefly|concise|concisely|terse|short answers?|keep it short|one sentence)\b/i.test(text);
  const isDetailed = /\b(?:in detail|detailed|thorough(?:ly)?|verbose)\b/i.test(text);
  const most = isBrief ? 0 : isDetailed ? 2 : detail;
  const pieces = lines.filter((line) => line.detail <= most).map(({ wordings }) => wordings);
  return word !== undefined && /\b(?:one|a single|1|single)[- ]word\b/i.test(text) ? [[word]] : pieces;
}

/** Approximate number of hidden reasoning tokens. */
export const reasoningTokens: Readonly<Record<ReasoningEffort, number>> = {
  ...{ none: 0, minimal: 16, low: 64, medium: 256, high: 1024, xhigh: 2048 },
};

/** Sentences of reasoning that together have so many tokens. */
export function reasoningPieces(
  { messages, reasoning_effort: effort = 'none' }: ChatRequest,
  count: (text: string) => number,
): Piece[] {
  // prettier-ignore
  const pieces: Piece[] = [];
  for (let left = reasoningTokens[effort]; left > 0; left -= count(pieces.at(-1)?.[0] ?? '')) {
    pieces.push([`Simulated reasoning, step ${pieces.length + 1}: “${quote(readConversation(messages).head)}”. `]);
  }
  return pieces;
}
