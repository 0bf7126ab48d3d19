import type { ChatRequest } from '@modelwire/ports';
import { messageText } from '../prompt-tokens.ts';
import type { Segment } from '../script.ts';

/** "Refuse to ...": the simulator has no conscience of its own, so it refuses where it is asked to. Else undefined. */
export function planRefusal({ messages }: Pick<ChatRequest, 'messages'>): Segment[] | undefined {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last === undefined || !/^\s*(?:please )?refuse\b/i.test(messageText(last).slice(0, 40))) return undefined;
  return [['I cannot help with that.', 'I am sorry, but that I cannot do.'], [' You asked me to refuse, and so I do.']];
}
