import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import { usedTier } from '../../limits/engine-queue.ts';
import type { UsedTier } from '../../limits/engine-queue.ts';
import { modelNotFound } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../../http/reply.ts';
import { assertSupported } from './assert-supported.ts';
import { admitSpeech } from './admit-speech.ts';
import { answerStream } from './answer-stream.ts';
import { answer } from './answer.ts';
import { completionMetadata } from '../../streaming/completion-metadata.ts';
import { hasInputs, withInputs } from './inputs.ts';
import { admitStore } from './keep.ts';
import { checkModeratedImages, moderateInput } from '../../streaming/transforms/moderation.ts';
import { normalise } from './normalise.ts';
import type { Plan } from './normalise.ts';
import { searched } from './search.ts';
import { promptTokens } from '../../streaming/prompt-tokens.ts';
import type { PromptTokens } from '../../streaming/prompt-tokens.ts';
import { reserveTokens } from './reserve-tokens.ts';
import { UsageTracker } from '../../streaming/usage-tracker.ts';
import { chargeTokens } from './generate.ts';
import type { Generation } from './generation.ts';

/** POST /chat/completions (interface: Create chat completion). */
export async function createChatCompletion(call: Call<ChatCompletionCreateParams>, kit: ServerContext): Promise<Reply> {
  const served = kit.models.find(call.body.model);
  if (!served) throw modelNotFound(call.body.model);
  // Engines know their models by their own ids; the caller is answered under the name that it asked for.
  const wire = call.body.model === served.model.id ? call.body : { ...call.body, model: served.model.id };
  assertSupported(wire, served.model);
  admitStore(wire, kit);
  checkModeratedImages(wire, kit);
  admitSpeech(wire, served.model, kit.options.speech);
  call.entry.model = wire.model;
  call.entry.safetyIdentifier = (wire.safety_identifier ?? wire.user)?.slice(0, 128);
  // What inputs take while the request is worked on; it is given back with the place at the engine.
  let held = 0;
  const take = (bytes: number): void => {
    kit.bodies.take(bytes);
    held += bytes;
  };
  const queue = kit.queues.of(served.engine);
  let plan: Plan;
  let sent = wire;
  let tier: UsedTier;
  let prompt: () => PromptTokens;
  let reserved = 0;
  try {
    if (hasInputs(wire)) sent = await withInputs({ call: { ...call, body: wire }, kit, model: served.model, take });
    plan = normalise(sent, served.model);
    prompt = promptTokens(plan.request, served.engine);
    const reservation = reserveTokens(call, kit, prompt);
    reserved = typeof reservation === 'number' ? reservation : await reservation;
    if (kit.options.moderate) await moderateInput(call, sent.messages, kit, take);
    if (plan.emulation.search) plan = await searched(plan, plan.emulation.search, call, kit);
    tier = call.tier ?? usedTier(plan.request.service_tier, kit.options.defaultServiceTier);
    const turn = queue.enter(tier, call.caller);
    if (turn) await turn;
  } catch (error) {
    chargeTokens(kit, call.principal, -reserved);
    kit.bodies.release(held);
    throw error;
  }
  const generation: Generation = {
    call,
    kit,
    served,
    sent,
    plan,
    head: completionMetadata(call.body, tier),
    reserved,
    usageTracker: new UsageTracker(prompt),
    leave() {
      queue.leave();
      kit.bodies.release(held);
    },
  };
  return wire.stream ? answerStream(generation) : await answer(generation);
}
