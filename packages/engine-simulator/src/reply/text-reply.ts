import type { ReasoningEffort, Verbosity } from '@modelwire/schema/types';
import type { Conversation } from '../prompt/conversation.ts';
import { quote } from './reply.ts';
import { replyTo } from './templates.ts';

/** One piece of a reply, mostly a sentence: its wordings, the likeliest first. Pieces end with their line breaks. */
export type Piece = readonly string[];

const details = { low: 0, medium: 1, high: 2 } as const;

export interface TextReply {
  readonly pieces: readonly Piece[];
  /** The most likely reply, for fields that contain an answer. */
  readonly text: string;
  readonly word: string;
}

/** A text reply from the first template that matches, in the form that system messages and the prompt request. */
export function textReply(conversation: Conversation, verbosity: Verbosity): TextReply {
  const { head, instructions } = conversation;
  const { lines, word = 'Simulated' } = replyTo(conversation);
  // The instructions of a long prompt are at its end: the text before it may mention one word.
  const request = `${instructions}\n${head.length > 400 ? head.slice(-160) : head}`;
  const isBrief = /\b(?:brief|briefly|concise|concisely|terse|short answers?|keep it short|one sentence)\b/i.test(
    request,
  );
  const isDetailed = /\b(?:in detail|detailed|thorough(?:ly)?|verbose)\b/i.test(request);
  const detail = isBrief ? 0 : isDetailed ? 2 : details[verbosity];
  let pieces: Piece[] = lines.filter((line) => line.detail <= detail).map(({ wordings }) => wordings);
  if (/\b(?:one|a single|1|single)[- ]word\b/i.test(request)) pieces = [[word]];
  const [, fixed] =
    /\b(?:always|only|just|must) (?:reply|respond|answer|say)(?: only| with| exactly)*:? ?["“'‘](.{1,200}?)["”'’]/i.exec(
      instructions,
    ) ?? [];
  if (fixed !== undefined) pieces = [[fixed]];
  const text = pieces
    .map(([first]) => first)
    .join('')
    .trim();
  return { pieces, text, word };
}

/** Approximate number of hidden reasoning tokens. */
export const reasoningTokens: Readonly<Record<ReasoningEffort, number>> = {
  ...{ none: 0, minimal: 16, low: 64, medium: 256, high: 1024, xhigh: 2048, max: 3072 },
};

/** Sentences of reasoning that together have so many tokens. */
export function reasoningPieces(
  { head }: Conversation,
  effort: ReasoningEffort,
  count: (text: string) => number,
): Piece[] {
  const pieces: Piece[] = [];
  for (let left = reasoningTokens[effort]; left > 0; left -= count(pieces.at(-1)?.[0] ?? '')) {
    pieces.push([`Simulated reasoning, step ${pieces.length + 1}: “${quote(head)}”. `]);
  }
  return pieces;
}
