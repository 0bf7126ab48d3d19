import type { ChatRequest } from '@modelwire/server';
import type { Segment } from '../script.ts';
import { arithmetic } from './arithmetic.ts';
import { readConversation } from './conversation.ts';
import type { Replier } from './conversation.ts';
import { anything, greeting, identity, thanks } from './talk.ts';

/** Who may answer, the first that can. */
const repliers: readonly Replier[] = [identity, thanks, arithmetic, greeting, anything];

const details = { low: 0, medium: 1, high: 2 } as const;

/** The script for a request: what is said, in segments, each with the ways to say it. */
export function planReply({ messages, verbosity }: Pick<ChatRequest, 'messages' | 'verbosity'>): Segment[] {
  const ask = readConversation(messages);
  for (const replier of repliers) {
    const reply = replier(ask);
    if (reply !== undefined)
      return reply.lines.filter((line) => line.detail <= details[verbosity]).map((line) => line.ways);
  }
  return [];
}
