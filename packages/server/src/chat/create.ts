import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { usedTier } from '../engine-queue.ts';
import { modelNotFound } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { Call, Reply } from '../request/call.ts';
import { admit } from './admit.ts';
import { answerStream } from './answer-stream.ts';
import { answer } from './answer.ts';
import { heading } from './heading.ts';
import { admitStore } from './keep.ts';
import { moderateInput } from './moderation.ts';
import { normalise } from './normalise.ts';
import { Tally } from './tally.ts';
import type { Work } from './work.ts';

/** POST /chat/completions (interface: Create chat completion). */
export async function createChatCompletion(call: Call<ChatCompletionCreateParams>, kit: Kit): Promise<Reply> {
  const wire = call.body;
  const served = kit.models.find(wire.model);
  if (!served) throw modelNotFound(wire.model);
  admit(wire, served.model);
  admitStore(wire, kit);
  const plan = normalise(wire, served.model);
  call.entry.model = wire.model;
  call.entry.safetyIdentifier = (wire.safety_identifier ?? wire.user)?.slice(0, 128);

  if (kit.options.moderate) await moderateInput(call, kit);
  const tier = call.tier ?? usedTier(plan.request.service_tier, kit.options.defaultTier);
  const queue = kit.queues.of(served.engine);
  const turn = queue.enter(tier, call.caller);
  if (turn) await turn;
  const work: Work = {
    call,
    kit,
    served,
    plan,
    head: heading(wire, tier),
    tally: new Tally(),
    leave: () => queue.leave(),
  };
  return wire.stream ? answerStream(work) : answer(work);
}
