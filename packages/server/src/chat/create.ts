import type { ChatCompletionCreateParams, CompletionUsage } from '@modelwire/schema/types';
import { errorBody, modelNotFound, toRequestError, unsupported } from '../errors.ts';
import { usedTier } from '../engine-queue.ts';
import type { ServedModel } from '../models/registry.ts';
import type { ChatEvent, EngineContext } from '../ports/chat-engine.ts';
import type { Call, Reply } from '../request/call.ts';
import { logFailure } from '../request/failure.ts';
import { subjectsOf } from '../request/rate-limit.ts';
import type { Kit } from '../kit.ts';
import { sseReply } from '../sse-reply.ts';
import { admit } from './admit.ts';
import type { ChunkOptions } from './chunks.ts';
import { cut } from './cut.ts';
import { fanOut } from './fan-out.ts';
import { heading } from './heading.ts';
import { normalise } from './normalise.ts';
import type { Plan } from './normalise.ts';
import { relayStream, relayWhole } from './relay.ts';
import { stream } from './stream.ts';
import { whole } from './whole.ts';

/** POST /chat/completions (interface: Create chat completion). */
export async function createChatCompletion(call: Call<ChatCompletionCreateParams>, kit: Kit): Promise<Reply> {
  const wire = call.body;
  const served = kit.models.find(wire.model);
  if (!served) throw modelNotFound(wire.model);
  if (wire.store)
    throw unsupported('store', "Unsupported parameter: 'store' is not supported: this server keeps no completions.");
  admit(wire, served.model);
  const plan = normalise(wire, served.model);
  call.entry.model = wire.model;
  call.entry.safetyIdentifier = wire.safety_identifier ?? wire.user;

  const tier = usedTier(plan.request.service_tier, kit.options.defaultTier);
  const queue = kit.queues.of(served.engine);
  await queue.enter(tier, call.signal);
  const work: Work = { call, kit, served, plan, head: heading(wire, tier), leave: () => queue.leave() };
  return wire.stream ? streamed(work) : answered(work);
}

interface Work {
  readonly call: Call<ChatCompletionCreateParams>;
  readonly kit: Kit;
  readonly served: ServedModel;
  readonly plan: Plan;
  readonly head: ReturnType<typeof heading>;
  /** Gives the place at the engine back: once, when the work is over. */
  readonly leave: () => void;
}

async function answered(work: Work): Promise<Reply> {
  const { call, head, leave, plan } = work;
  const { metadata } = call.body;
  try {
    const context = contextOf(work);
    const relayed = await relay(work, context);
    if (relayed?.kind === 'whole') {
      const { body, usage } = relayWhole(relayed.completion, head);
      settle(work, usage);
      return { status: 200, body: metadata ? { ...body, metadata } : body };
    }
    const completion = await whole(generated(work, context), head, plan.request.logprobs);
    settle(work, completion.usage);
    return { status: 200, body: metadata ? { ...completion, metadata } : completion };
  } finally {
    leave();
  }
}

/** Resolves with the first bytes; until then what goes wrong is an HTTP status, afterwards an error frame. */
async function streamed(work: Work): Promise<Reply> {
  const { call, head, leave, plan } = work;
  const { stream_options: asked, n } = call.body;
  const options: ChunkOptions & { readonly choices: number } = {
    choices: n ?? 1,
    obfuscate: asked?.include_obfuscation ?? true,
    includeUsage: asked?.include_usage ?? false,
    topLogprobs: plan.request.logprobs ? plan.request.top_logprobs : undefined,
  };
  const life: { over: boolean; release?: () => void } = { over: false };
  const events = await sseReply({
    cancel: (reason) => call.abort(reason),
    async produce(sink) {
      try {
        const context = contextOf(work);
        const relayed = await relay(work, context);
        const usage =
          relayed?.kind === 'stream'
            ? await relayStream(relayed.payloads, head, options, sink)
            : await stream(generated(work, context), head, options, sink);
        settle(work, usage);
      } catch (thrown) {
        if (!sink.started) throw thrown;
        // The caller left: nobody reads what would be said. A server that stops still says so.
        if (sink.closed) return;
        const error = toRequestError(call.signal.aborted ? call.signal.reason : thrown);
        logFailure(call.entry, error);
        sink.write(JSON.stringify(errorBody(error)));
      } finally {
        leave();
        life.over = true;
        life.release?.();
      }
    },
  });
  if (!life.over) life.release = call.hold();
  return { status: 200, events };
}

function contextOf({ call, served: { model } }: Work): EngineContext {
  return { requestId: call.requestId, model, wire: call.body, signal: call.signal };
}

/** The engine's own reply, where it has one and the kit has nothing to add. */
function relay({ served: { engine }, plan }: Work, context: EngineContext) {
  return plan.emulates ? undefined : engine.relay?.(plan.request, context);
}

/** The engine's events, with what the kit does for it around them. */
function generated(
  { served: { engine }, plan: { request, emulation } }: Work,
  context: EngineContext,
): AsyncIterable<ChatEvent> {
  const { calls, stop, maxTokens } = emulation;
  const one = (part: typeof request) => {
    const events = engine.generate(part, context);
    return stop.length > 0 || maxTokens !== undefined ? cut(events, { stop, maxTokens }) : events;
  };
  return calls > 1 ? fanOut(request, calls, one) : one(request);
}

function settle({ call, kit }: Work, usage: CompletionUsage | undefined): void {
  call.entry.usage = usage;
  if (usage) void kit.options.rateLimiter?.charge(subjectsOf(call.principal), usage.total_tokens);
}
