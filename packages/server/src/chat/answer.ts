import type { Reply } from '../request/call.ts';
import { collector } from './collector.ts';
import { keep } from './keep.ts';
import { relayWhole } from './relay.ts';
import { generated, relay, settle } from './work.ts';
import type { Work } from './work.ts';

/** The whole completion in one answer. */
export async function answer(work: Work): Promise<Reply> {
  const { call, head, plan, leave } = work;
  const { metadata, store } = call.body;
  try {
    const relayed = await relay(work);
    if (relayed?.kind === 'whole') {
      const { body, usage } = relayWhole(relayed.completion, head);
      settle(work, usage);
      return { status: 200, body: metadata ? { ...body, metadata } : body };
    }
    const collected = collector(head, { n: call.body.n ?? 1, logprobs: plan.request.logprobs });
    for await (const event of generated(work)) collected.add(event);
    const completion = collected.completion();
    settle(work, completion.usage);
    if (store) await keep(work, completion);
    return { status: 200, body: metadata ? { ...completion, metadata } : completion };
  } finally {
    leave();
  }
}
