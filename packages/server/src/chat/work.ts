import type { ChatCompletionCreateParams, CompletionUsage } from '@modelwire/schema/types';
import type { Kit } from '../kit.ts';
import type { ServedModel } from '../models/registry.ts';
import type { ChatEvent, EngineContext } from '../ports/chat-engine.ts';
import type { Call } from '../request/call.ts';
import { subjectsOf } from '../request/rate-limit.ts';
import { cut } from './cut.ts';
import { fanOut } from './fan-out.ts';
import type { Heading } from './heading.ts';
import type { Plan } from './normalise.ts';

/** One admitted request at its engine. */
export interface Work {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly kit: Kit;
  readonly served: ServedModel;
  readonly plan: Plan;
  readonly head: Heading;
  /** Gives the place at the engine back: once, when the work is over. */
  readonly leave: () => void;
}

/** The engine's own reply, where it has one and the kit has nothing to add. */
export function relay(work: Work) {
  const { served, plan, call } = work;
  return plan.emulates || call.body.store ? undefined : served.engine.relay?.(plan.request, contextOf(work));
}

/** The engine's events, with what the kit does for it around them. */
export function generated(work: Work): AsyncIterable<ChatEvent> {
  const { request, emulation } = work.plan;
  const { calls, stop, maxTokens } = emulation;
  const context = contextOf(work);
  const one = (part: typeof request) => {
    const events = work.served.engine.generate(part, context);
    return stop.length > 0 || maxTokens !== undefined ? cut(events, { stop, maxTokens }) : events;
  };
  return calls > 1 ? fanOut(request, calls, one) : one(request);
}

function contextOf({ call, served: { model } }: Work): EngineContext {
  return { requestId: call.requestId, model, wire: call.body, signal: call.signal };
}

/** Books what was used. */
export function settle({ call, kit }: Work, usage: CompletionUsage | undefined): void {
  call.entry.usage = usage;
  kit.meter?.count(call.principal, call.body.model, usage);
  if (usage) void kit.options.rateLimiter?.charge(subjectsOf(call.principal), usage.total_tokens);
}
