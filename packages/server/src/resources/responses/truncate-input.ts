import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { RequestError } from '../../errors.ts';

/** Whether a request failed because its input exceeds the context of the model. */
export function exceedsContext(thrown: unknown): boolean {
  return thrown instanceof RequestError && thrown.code === 'context_length_exceeded';
}

/**
 * Removes the older half of the turns of a request. A turn starts with a message of the user, so that calls keep their outputs; instructions
 * stay. Undefined when there is one turn left.
 */
export function withoutOldestTurns(chat: ChatCompletionCreateParams): ChatCompletionCreateParams | undefined {
  const { messages } = chat;
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const first = starts[Math.ceil(starts.length / 2)];
  if (first === undefined) return undefined;
  const instructions = messages.slice(0, 1).filter(({ role }) => role === 'system');
  return { ...chat, messages: [...instructions, ...messages.slice(first)] };
}
