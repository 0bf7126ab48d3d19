import type { ChatEvents } from '@modelwire/ports';
import type { Accountant } from '../../admission/accountant.ts';
import { isEventBatch, tokensOf } from '../events.ts';
import type { ReplyEvent } from '../events.ts';

/**
 * The last transform: gives the accountant usage, metadata, tokens and finish reasons of a reply. What remains is content, in batches of
 * events that were available together.
 *
 * @throws if the engine ended without a finish event for each choice: a partial reply is not a reply.
 */
export async function* count(
  events: ChatEvents,
  accountant: Accountant,
  choices: number,
): AsyncGenerator<readonly ReplyEvent[], void, undefined> {
  const finished = new Set<number>();
  for await (const some of isEventBatch(events) ? [events] : events) {
    const content: ReplyEvent[] = [];
    for (const event of isEventBatch(some) ? some : [some]) {
      if (event.type === 'usage') accountant.report(event.usage);
      else if (event.type === 'meta') accountant.describe(event);
      else {
        accountant.count(tokensOf(event));
        if (event.type === 'finish') {
          finished.add(event.choice);
          accountant.addFinishReason(event.reason);
        }
        content.push(event);
      }
    }
    if (content.length > 0) yield content;
  }
  if (finished.size < choices) throw new Error('the engine ended without a finish event for each choice');
}
