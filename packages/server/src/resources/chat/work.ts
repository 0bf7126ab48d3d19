import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { Kit } from '../../context.ts';
import type { ServedModel } from '../../model-registry.ts';
import type { ChatEvents, ChatModel, EngineContext, Relayed, Principal } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { Caller } from '../../caller.ts';
import { subjectsOf } from '../../limits/rate-limit.ts';
import { attempts } from '../../streaming/transforms/attempts.ts';
import { cited } from '../../streaming/transforms/citations.ts';
import { cut } from '../../streaming/transforms/cut.ts';
import { fanOut } from '../../streaming/transforms/fan-out.ts';
import { asFunctionCall } from '../../streaming/transforms/functions.ts';
import type { Heading } from '../../streaming/heading.ts';
import { moderateOutput } from '../../streaming/transforms/moderate-output.ts';
import { moderatesOutput } from '../../streaming/transforms/moderation.ts';
import type { Plan } from './normalise.ts';
import { spoken } from '../../streaming/transforms/spoken.ts';
import type { Tally } from '../../streaming/tally.ts';

/** One admitted request at its engine. */
export interface Work {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly kit: Kit;
  readonly served: ServedModel;
  /** The body as engines may forward it: with its inputs in place. */
  readonly sent: ChatCompletionCreateParams;
  readonly plan: Plan;
  readonly head: Heading;
  /** Tokens that the rate limiter holds for it. */
  readonly reserved: number;
  readonly tally: Tally;
  /** Gives the place at the engine back: once, when the work is over. */
  readonly leave: () => void;
}

/** The engine's own reply, where it has one and the kit has nothing to add. */
export function relay(work: Work): Promise<Relayed> | undefined {
  const { served, plan, call, kit } = work;
  return plan.emulates || call.body.store || moderatesOutput(kit)
    ? undefined
    : served.engine.relay?.(plan.request, contextOf(work));
}

/** The engine's events, with what the kit does around them. */
export function generated(work: Work): ChatEvents {
  const { kit, call, plan, tally } = work;
  const { speech } = plan.emulation;
  let events = complete(work);
  // Titles and addresses of search results are judged, too.
  if (plan.request.search_results) events = cited(events, plan.request.search_results);
  if (moderatesOutput(kit)) events = moderateOutput(events, call, kit, tally);
  return speech ? spoken(events, { speech, call, kit }) : events;
}

/** With what the engine cannot do itself. */
function complete(work: Work): ChatEvents {
  const { request, emulation } = work.plan;
  const { calls, functions, stop, maxTokens, oneCall, expected } = emulation;
  const cuts = stop.length > 0 || maxTokens !== undefined || oneCall;
  const context = contextOf(work);
  const one = (part: typeof request, own: EngineContext): ChatEvents => {
    const generate = (asked: typeof request): ChatEvents => {
      const generating = work.served.engine.generate(asked, own);
      if (!cuts) return generating;
      const promptTokens = (): number | undefined => work.served.engine.countPromptTokens?.(asked);
      return cut(generating, { stop, maxTokens, oneCall, promptTokens });
    };
    const events = expected ? attempts({ request: part, expected, generate }) : generate(part);
    return functions ? asFunctionCall(events) : events;
  };
  if (calls === 1) return one(request, context);
  const { requestId, project, model, wire, batchLine } = context;
  const generate = (part: typeof request, signal: AbortSignal) =>
    one(part, { requestId, project, model, wire, signal, batchLine });
  return fanOut({ request, calls, signal: context.signal, generate });
}

function contextOf({ call, sent, served: { model } }: Work): EngineContext {
  return new CallContext(call, sent, model);
}

/** The signal is made for engines that ask for it. (A class: see docs/decisions/0006.) */
class CallContext implements EngineContext {
  readonly requestId: string;
  readonly project: string;
  readonly model: ChatModel;
  readonly wire: ChatCompletionCreateParams;
  readonly batchLine: EngineContext['batchLine'];
  readonly #caller: Caller;

  constructor(
    { requestId, caller, principal, batchLine }: Work['call'],
    sent: ChatCompletionCreateParams,
    model: ChatModel,
  ) {
    this.requestId = requestId;
    this.project = principal.project;
    this.model = model;
    this.wire = sent;
    this.batchLine = batchLine;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }
}

/** Books what was used, also by a reply that was cut off or abandoned, and gives the rest of its reservation back. */
export function settle({ call, kit, served, tally, reserved }: Work): void {
  const usage = tally.spent;
  call.entry.usage = usage;
  if (tally.isEstimated) call.entry.usageIsEstimated = true;
  kit.meter?.count(call.principal, served.model.id, usage);
  chargeTokens(kit, call.principal, usage.total_tokens - reserved);
}

/** Charges tokens, or gives them back when negative. A limiter that fails is reported, and fails no request. */
export function chargeTokens({ options }: Kit, principal: Principal, tokens: number): void {
  if (tokens === 0) return;
  const failed = (error: unknown): void => options.report('tokens were not charged', error);
  try {
    options.rateLimiter?.charge(subjectsOf(principal), tokens)?.catch(failed);
  } catch (error) {
    failed(error);
  }
}
