import type { ReasoningEffort } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import type { Segment } from '../script.ts';
import { quote, readConversation } from './conversation.ts';

/** About so many hidden tokens are spent on a reply. */
export const reasoningTokens: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 16,
  low: 64,
  medium: 256,
  high: 1024,
  xhigh: 2048,
};

const thoughts: readonly ((about: string) => string)[] = [
  (about) => `They say: “${about}”.`,
  () => ' What do they want of me?',
  (about) => ` The words that matter are in “${about}”.`,
  () => ' I look for a script that fits.',
  () => ' A greeting, a sum, a list, or a question about rivers, clocks, bread or maps?',
  () => ' Is there something that I was told to do always?',
  () => ' I could be short, and I could be long; I was told how much to say.',
  () => ' Are there tools, and does one of them fit?',
  () => ' Let me go through it once more, word by word.',
];

/** What is thought before a reply, in segments of so many tokens together: the same thoughts again and again. */
export function planReasoning(
  { messages, reasoning_effort: effort = 'none' }: ChatRequest,
  count: (text: string) => number,
): Segment[] {
  if (effort === 'none') return [];
  const about = quote(readConversation(messages).head, 80);
  const segments: Segment[] = [];
  let left = reasoningTokens[effort];
  for (let i = 0; left > 0; i = (i + 1) % thoughts.length) {
    const thought = thoughts[i]?.(about) ?? '';
    segments.push([thought]);
    left -= Math.max(1, count(thought));
  }
  return segments;
}
