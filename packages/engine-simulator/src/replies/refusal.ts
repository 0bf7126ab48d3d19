import type { ChatRequest } from '@modelwire/server';
import type { Segment } from '../script.ts';
import { readConversation } from './conversation.ts';

/** "Refuse to ...": the simulator has no conscience of its own, so it refuses where it is asked to. Else undefined. */
export function planRefusal({ messages }: Pick<ChatRequest, 'messages'>): Segment[] | undefined {
  const { head } = readConversation(messages);
  if (!/^(?:please )?refuse\b/i.test(head)) return undefined;
  return [['I cannot help with that.', 'I am sorry, but that I cannot do.'], [' You asked me to refuse, and so I do.']];
}
