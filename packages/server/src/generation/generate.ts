import { reportUpstreamTo } from '../call.ts';
import type { Call } from '../call.ts';
import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { ChatEvent, ChatEvents, EngineContext, Relayed, ChatRequest } from '@modelwire/ports';
import type { Admission } from '../admission/admit.ts';
import type { LoadedWork } from '../admission/work.ts';
import { flat, isEventBatch, tokensOf } from '../streaming/events.ts';
import type { ReplyEvent } from '../streaming/events.ts';
import type { Accountant } from '../admission/accountant.ts';
import { guaranteeOutput } from '../structured-output/guarantee-output.ts';
import { customToolGrammars } from '../structured-output/output-grammars.ts';
import type { OutputGrammars } from '../structured-output/output-grammars.ts';
import { retryMissingCall } from '../streaming/transforms/retry-missing-call.ts';
import { withCitations } from '../streaming/transforms/citations.ts';
import { asCustomCalls } from '../structured-output/custom-calls.ts';
import { truncate } from '../streaming/transforms/truncate.ts';
import { fanOut } from '../streaming/transforms/fan-out.ts';
import { moderateOutput } from '../streaming/transforms/moderate-output.ts';
import type { Moderator } from '../streaming/transforms/moderator.ts';
import { synthesizeSpeech } from '../streaming/transforms/synthesize-speech.ts';
import type { ResolvedChatModel } from '../models/model-registry.ts';
import type { CompletionMetadata } from '../streaming/chunk-writer.ts';
import type { GenerationPlan } from './plan.ts';

/** Relays the engine's reply unparsed, if the engine supports that and the server does not process the reply. */
export function relay(generation: Generation): Promise<Relayed> | undefined {
  const { resolvedModel, plan, body, moderators, admission } = generation;
  return plan.usesEmulation || body.store || judgesReply(moderators) || admission.observation?.onEvent
    ? undefined
    : resolvedModel.engine.relay?.(plan.request, engineContextOf(generation));
}

/** Whether any of them judges the reply: then it cannot be relayed unparsed. */
export function judgesReply(moderators: readonly Moderator[]): boolean {
  return moderators.some(({ output }) => output !== undefined);
}

/**
 * Generates the reply and applies the transforms that the request requires. What is returned is accounted for.
 *
 * @param engineGenerate Generates the events that the transforms receive. Default: `generate` of the engine.
 */
export function generate(generation: Generation, engineGenerate?: Generate): AsyncIterable<readonly ReplyEvent[]> {
  const {
    body,
    accountant,
    plan: { request },
    resolvedModel: { engine },
    admission: { observation },
  } = generation;
  let generateReply = engineGenerate;
  for (const { appliesTo, transform } of transforms) {
    if (!appliesTo(generation)) continue;
    generateReply = transform(generateReply ?? ((part, context) => engine.generate(part, context)), generation);
  }
  const context = engineContextOf(generation);
  const events = generateReply ? generateReply(request, context) : engine.generate(request, context);
  const onEvent = observation?.onEvent?.bind(observation);
  return count(onEvent ? observeEvents(events, onEvent) : events, accountant, body.n ?? 1);
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
export function engineContextOf({ call, plan, resolvedModel, admission, conversation }: Generation): EngineContext {
  return {
    requestId: call.requestId,
    project: call.principal.project,
    model: resolvedModel.model,
    requestBody: plan.body,
    conversation,
    batchLine: call.batchLine,
    observer: admission.observation,
    signal: call.client.signal,
    reportUpstream: reportUpstreamTo(call.logRecord),
  };
}

/** Generates a reply: `generate` of the engine, with the transforms that were applied before. */
type Generate = (request: ChatRequest, context: EngineContext) => ChatEvents;

/** A transformation of the events of a reply. */
interface ChatTransform {
  readonly appliesTo: (generation: Generation) => boolean;
  /** Transforms the events of `generate` for a request. It may call `generate` several times, also with other requests. */
  readonly transform: (generate: Generate, generation: Generation) => Generate;
}

/**
 * Makes texts match `response_format`, and the input of tool calls their grammars.
 *
 * @param countsAttempts Whether the requests to the engine are counted here.
 */
function guaranteed(
  grammarsOf: (emulation: GenerationPlan['emulation']) => OutputGrammars | undefined,
  countsAttempts: boolean,
): ChatTransform {
  return {
    appliesTo: ({ plan }) => grammarsOf(plan.emulation) !== undefined,
    transform(generate, { plan: { emulation }, resolvedModel: { engine, model }, body, call, server }) {
      const grammars = grammarsOf(emulation);
      const { options, prefills } = server;
      if (!grammars) return generate;
      const { logRecord } = call;
      return (request, context) =>
        guaranteeOutput({
          request,
          grammars,
          engine,
          generate: (attempt) => generate(attempt, context),
          isStreamed: body.stream === true,
          maxAttempts: options.structuredOutputAttempts,
          prefill: prefills.of(engine, model),
          onStep: (step) => void (logRecord.outputSteps = [...(logRecord.outputSteps ?? []), step]),
          onAttempt() {
            if (countsAttempts) logRecord.outputAttempts = (logRecord.outputAttempts ?? 0) + 1;
          },
        });
    },
  };
}

/** In the order in which they are applied: the first is next to the engine. */
const transforms: readonly ChatTransform[] = [
  {
    // `stop`, `max_completion_tokens` and `parallel_tool_calls`, for engines that do not support them.
    appliesTo: ({ plan: { emulation } }) =>
      emulation.stop.length > 0 || emulation.maxTokens !== undefined || emulation.singleToolCall,
    transform(generate, { plan: { emulation }, resolvedModel: { engine } }) {
      const { stop, maxTokens, singleToolCall } = emulation;
      return (request, context) => {
        const promptTokens = (): number | undefined => engine.countPromptTokens?.(request);
        return truncate(generate(request, context), { stop, maxTokens, singleToolCall, promptTokens });
      };
    },
  },
  {
    // Repeats the request while the reply calls none of the tools that `tool_choice` requires.
    appliesTo: ({ plan }) => plan.emulation.requiredTools !== undefined,
    transform(generate, { plan: { emulation }, server: { options } }) {
      const { requiredTools } = emulation;
      if (!requiredTools) return generate;
      return (request, context) => {
        // The repair of a call is a text.
        if (request.tools.length === 0) return generate(request, context);
        return retryMissingCall({
          request,
          requiredTools,
          maxAttempts: options.structuredOutputAttempts,
          generate: (attempt) => generate(attempt, context),
        });
      };
    },
  },
  guaranteed(({ grammars }) => grammars, true),
  {
    // Custom tools, for engines that have function tools only.
    appliesTo: ({ plan }) => plan.emulation.customTools.size > 0,
    transform:
      (generate, { plan: { emulation } }) =>
      (request, context) =>
        asCustomCalls(generate(request, context), emulation.customTools),
  },
  guaranteed(({ grammars, customTools }) => {
    return grammars && customTools.size > 0 ? customToolGrammars(grammars) : undefined;
  }, false),
  {
    // The deprecated `functions`: tool calls of the engine become function calls.
    appliesTo: ({ plan }) => plan.emulation.convertsFunctions,
    transform: (generate) => (request, context) => asFunctionCall(generate(request, context)),
  },
  {
    // `n` choices for an engine that generates one at a time.
    appliesTo: ({ plan }) => plan.emulation.engineCalls > 1,
    transform:
      (generate, { plan: { emulation } }) =>
      (request, context) =>
        fanOut({
          request,
          calls: emulation.engineCalls,
          signal: context.signal,
          generate: (part, signal) => generate(part, { ...context, signal }),
        }),
  },
  {
    // Citations of search results. Before moderation, so that titles and URLs are moderated, too.
    appliesTo: ({ plan }) => plan.request.search_results !== undefined,
    transform: (generate) => (request, context) =>
      withCitations(generate(request, context), request.search_results ?? []),
  },
  {
    appliesTo: ({ moderators }) => judgesReply(moderators),
    transform: (generate, generation) => (request, context) =>
      generation.moderators.reduce(
        (events, moderator) => (moderator.output ? moderateOutput(events, { ...generation, moderator }) : events),
        generate(request, context),
      ),
  },
  {
    // Audio output for text-only models.
    appliesTo: ({ plan }) => plan.emulation.speech !== undefined,
    transform(generate, { plan: { emulation }, call, body, server }) {
      const { speech } = emulation;
      if (!speech) return generate;
      return (request, context) => synthesizeSpeech(generate(request, context), { speech, call, body, server });
    },
  },
];

/** A chat request that was admitted to its engine. Its admission has to be ended. */
export interface Generation {
  readonly call: Call<unknown>;
  /** The chat request before it was checked against its model. */
  readonly body: ChatCompletionCreateParams;
  readonly server: ServerContext;
  readonly admission: Admission<LoadedWork>;
  readonly resolvedModel: ResolvedChatModel;
  readonly plan: GenerationPlan;
  readonly metadata: CompletionMetadata;
  readonly accountant: Accountant;
  readonly moderators: readonly Moderator[];
  /** ID of the stored conversation that the request continues. */
  readonly conversation: string | undefined;
}

/** Converts tool calls of the engine to the deprecated function call: the first call of each choice. */
async function* asFunctionCall(events: ChatEvents): AsyncGenerator<ChatEvent> {
  for await (const event of flat(events)) {
    if (event.type === 'tool_call') {
      if (event.index === 0)
        yield { type: 'function_call', choice: event.choice, name: event.name, text: '', tokens: 0 };
    } else if (event.type === 'tool_input') {
      const { choice, text, tokens = 1 } = event;
      if (event.index === 0) yield { type: 'function_call', choice, text, tokens };
    } else if (event.type === 'finish' && event.reason === 'tool_calls') yield { ...event, reason: 'function_call' };
    else yield event;
  }
}

/**
 * The last transform: gives the accountant usage, metadata, tokens and finish reasons of a reply. What remains is content, in batches of
 * events that were available together.
 *
 * @throws if the engine ended without a finish event for each choice: a partial reply is not a reply.
 */
async function* count(
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
