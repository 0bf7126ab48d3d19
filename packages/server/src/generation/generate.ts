import { reportUpstreamTo } from '../call.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { ChatEvent, ChatEvents, ChatModel, EngineContext, Relayed, Principal } from '@modelwire/ports';
import { rateSubjectsOf } from '../limits/rate-limit.ts';
import { flat, isEventBatch } from '../streaming/events.ts';
import { moderatesOutput } from '../streaming/transforms/moderation.ts';
import type { Generation } from './generation.ts';
import { transforms } from './transforms.ts';
import type { Generate } from './transforms.ts';

/** Relays the engine's reply unparsed, if the engine supports that and the server does not process the reply. */
export function relay(generation: Generation): Promise<Relayed> | undefined {
  const { resolvedModel, plan, call, server, observation } = generation;
  return plan.usesEmulation || call.body.store || moderatesOutput(server) || observation?.onEvent
    ? undefined
    : resolvedModel.engine.relay?.(plan.request, engineContextOf(generation));
}

/**
 * Generates the reply and applies the transforms that the request requires.
 *
 * @param engineGenerate Generates the events that the transforms receive. Default: `generate` of the engine.
 */
export function generate(generation: Generation, engineGenerate?: Generate): ChatEvents {
  const { plan, resolvedModel, observation } = generation;
  let generateReply: Generate =
    engineGenerate ?? ((request, context) => resolvedModel.engine.generate(request, context));
  for (const { appliesTo, transform } of transforms)
    if (appliesTo(generation)) generateReply = transform(generateReply, generation);
  const events = generateReply(plan.request, engineContextOf(generation));
  const onEvent = observation?.onEvent?.bind(observation);
  return onEvent ? observeEvents(events, onEvent) : events;
}

function observeEvents(events: ChatEvents, onEvent: (event: ChatEvent) => void): ChatEvents {
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

/** The context that the engine receives with a request. */
export function engineContextOf({
  call,
  forwardedBody,
  resolvedModel: { model },
  observation,
}: Generation): EngineContext {
  return new GenerationContext(call, forwardedBody, model, observation);
}

/** A class with a getter, because the signal is created on first use (docs/decisions/0006). */
class GenerationContext implements EngineContext {
  readonly requestId: string;
  readonly project: string;
  readonly model: ChatModel;
  readonly requestBody: ChatCompletionCreateParams;
  readonly batchLine: EngineContext['batchLine'];
  readonly observer: EngineContext['observer'];
  readonly #call: Generation['call'];

  constructor(
    call: Generation['call'],
    requestBody: ChatCompletionCreateParams,
    model: ChatModel,
    observer: EngineContext['observer'],
  ) {
    this.requestId = call.requestId;
    this.project = call.principal.project;
    this.model = model;
    this.requestBody = requestBody;
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
 * Records usage, also that of a truncated or aborted reply, and returns the reserved tokens that were not used.
 *
 * @param error The error of the generation, if it failed.
 */
export function recordUsage(
  { call, server, resolvedModel, usageTracker, reservedTokens, budgetReservation, observation, metadata }: Generation,
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
  chargeTokens(server, call.principal, usage.total_tokens - reservedTokens);
  budgetReservation?.settle(usage);
}

/** Charges tokens to the rate limiter, or returns them if the number is negative. Errors of the limiter are reported and do not fail the request. */
export function chargeTokens({ options }: ServerContext, principal: Principal, tokens: number): void {
  if (tokens === 0) return;
  const reportError = (error: unknown): void => options.report('tokens were not charged', error);
  try {
    options.rateLimiter?.charge(rateSubjectsOf(principal), tokens)?.catch(reportError);
  } catch (error) {
    reportError(error);
  }
}
