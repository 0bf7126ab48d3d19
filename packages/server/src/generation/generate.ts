import { reportUpstreamTo } from '../call.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { ChatEvent, ChatEvents, ChatModel, EngineContext, Relayed, Principal } from '@modelwire/ports';
import { subjectsOf } from '../limits/rate-limit.ts';
import { flat, isEventBatch } from '../streaming/events.ts';
import { moderatesOutput } from '../streaming/transforms/moderation.ts';
import type { Generation } from './generation.ts';
import { transforms } from './transforms.ts';
import type { Generate } from './transforms.ts';

/** Relays the engine's reply unparsed if the engine supports that and the server has nothing to add. */
export function relay(generation: Generation): Promise<Relayed> | undefined {
  const { resolvedModel, plan, call, server, observation } = generation;
  return plan.emulates || call.body.store || moderatesOutput(server) || observation?.onEvent
    ? undefined
    : resolvedModel.engine.relay?.(plan.request, contextOf(generation));
}

/** The events of the reply, with every transform that applies to it. @param source Default: the engine's chat. */
export function generate(generation: Generation, source?: Generate): ChatEvents {
  const { plan, resolvedModel, observation } = generation;
  let ask: Generate = source ?? ((request, context) => resolvedModel.engine.generate(request, context));
  for (const { appliesTo, transform } of transforms) if (appliesTo(generation)) ask = transform(ask, generation);
  const events = ask(plan.request, contextOf(generation));
  const onEvent = observation?.onEvent?.bind(observation);
  return onEvent ? observed(events, onEvent) : events;
}

function observed(events: ChatEvents, onEvent: (event: ChatEvent) => void): ChatEvents {
  if (isEventBatch(events)) {
    events.forEach(onEvent);
    return events;
  }
  return (async function* () {
    for await (const event of flat(events)) {
      onEvent(event);
      yield event;
    }
  })();
}

/** The context of a generation, for its engine. */
export function contextOf({ call, forwardedBody, resolvedModel: { model }, observation }: Generation): EngineContext {
  return new CallContext(call, forwardedBody, model, observation);
}

/** The signal is created on first use. (A class: see docs/decisions/0006.) */
class CallContext implements EngineContext {
  readonly requestId: string;
  readonly project: string;
  readonly model: ChatModel;
  readonly requestBody: ChatCompletionCreateParams;
  readonly batchLine: EngineContext['batchLine'];
  readonly observer: EngineContext['observer'];
  readonly #call: Generation['call'];

  constructor(
    call: Generation['call'],
    sent: ChatCompletionCreateParams,
    model: ChatModel,
    observer: EngineContext['observer'],
  ) {
    this.requestId = call.requestId;
    this.project = call.principal.project;
    this.model = model;
    this.requestBody = sent;
    this.batchLine = call.batchLine;
    this.observer = observer;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.client.signal;
  }

  reportUpstream(name: string, failure?: string): void {
    reportUpstreamTo(this.#call.logRecord)(name, failure);
  }
}

/**
 * Records usage, also of a truncated or aborted reply, and returns the rest of its reservation.
 *
 * @param error The error of the generation, if it failed.
 */
export function recordUsage(
  { call, server, resolvedModel, usageTracker, reserved, budget, observation, metadata }: Generation,
  error?: unknown,
): void {
  const usage = usageTracker.current;
  call.logRecord.usage = usage;
  if (observation) {
    const { firstTokenAt, finishReasons } = usageTracker;
    observation.end({ usage, firstTokenAt, finishReasons, responseId: metadata.id, error });
  }
  if (usageTracker.isEstimated) call.logRecord.usageIsEstimated = true;
  server.meter?.count(call.principal, resolvedModel.model.id, usage);
  chargeTokens(server, call.principal, usage.total_tokens - reserved);
  budget?.settle(usage);
}

/** Charges tokens, or returns them if negative. Failures of the limiter are reported and do not fail the request. */
export function chargeTokens({ options }: ServerContext, principal: Principal, tokens: number): void {
  if (tokens === 0) return;
  const failed = (error: unknown): void => options.report('tokens were not charged', error);
  try {
    options.rateLimiter?.charge(subjectsOf(principal), tokens)?.catch(failed);
  } catch (error) {
    failed(error);
  }
}
