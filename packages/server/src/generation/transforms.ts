import type { ChatEvents, ChatRequest, EngineContext } from '@modelwire/ports';
import { retryInvalidOutput } from '../streaming/transforms/retry-invalid-output.ts';
import { withCitations } from '../streaming/transforms/citations.ts';
import { truncate } from '../streaming/transforms/truncate.ts';
import { fanOut } from '../streaming/transforms/fan-out.ts';
import { asFunctionCall } from '../streaming/transforms/functions.ts';
import { moderateOutput } from '../streaming/transforms/moderate-output.ts';
import { moderatesOutput } from '../streaming/transforms/moderation.ts';
import { synthesizeSpeech } from '../streaming/transforms/synthesize-speech.ts';
import type { Generation } from './generation.ts';

/** Generates a reply: `generate` of the engine, with the transforms that were applied before. */
export type Generate = (request: ChatRequest, context: EngineContext) => ChatEvents;

/** A transformation of the events of a reply. */
export interface ChatTransform {
  readonly name: string;
  readonly appliesTo: (generation: Generation) => boolean;
  /** Transforms the events of `generate` for a request. It may call `generate` several times, also with other requests. */
  readonly transform: (generate: Generate, generation: Generation) => Generate;
}

/** In the order in which they are applied: the first is next to the engine. */
export const transforms: readonly ChatTransform[] = [
  {
    // `stop`, `max_completion_tokens` and `parallel_tool_calls`, for engines that do not support them.
    name: 'truncate',
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
    // Repeats the request while the reply violates `response_format` or `tool_choice`.
    name: 'retry',
    appliesTo: ({ plan }) => plan.emulation.expected !== undefined,
    transform(generate, { plan: { emulation } }) {
      const { expected } = emulation;
      if (!expected) return generate;
      return (request, context) =>
        retryInvalidOutput({ request, expected, generate: (attempt) => generate(attempt, context) });
    },
  },
  {
    // The deprecated `functions`: tool calls of the engine become function calls.
    name: 'functions',
    appliesTo: ({ plan }) => plan.emulation.convertsFunctions,
    transform: (generate) => (request, context) => asFunctionCall(generate(request, context)),
  },
  {
    // `n` choices for an engine that generates one at a time.
    name: 'fan-out',
    appliesTo: ({ plan }) => plan.emulation.engineCalls > 1,
    transform:
      (generate, { plan: { emulation } }) =>
      (request, context) =>
        fanOut({
          request,
          calls: emulation.engineCalls,
          signal: context.signal,
          generate: (part, signal) => generate(part, withSignal(context, signal)),
        }),
  },
  {
    // Citations of search results. Before moderation, so that titles and URLs are moderated, too.
    name: 'citations',
    appliesTo: ({ plan }) => plan.request.search_results !== undefined,
    transform: (generate) => (request, context) =>
      withCitations(generate(request, context), request.search_results ?? []),
  },
  {
    name: 'moderation',
    appliesTo: ({ server }) => moderatesOutput(server),
    transform:
      (generate, { call, server, usageTracker }) =>
      (request, context) =>
        moderateOutput(generate(request, context), call, server, usageTracker),
  },
  {
    // Audio output for text-only models.
    name: 'speech',
    appliesTo: ({ plan }) => plan.emulation.speech !== undefined,
    transform(generate, { plan: { emulation }, call, server }) {
      const { speech } = emulation;
      if (!speech) return generate;
      return (request, context) => synthesizeSpeech(generate(request, context), { speech, call, server });
    },
  },
];

/** The same context with another signal. A spread would not copy accessors and methods of a class. */
function withSignal(context: EngineContext, signal: AbortSignal): EngineContext {
  const { requestId, project, model, requestBody, batchLine } = context;
  const reportUpstream = (name: string): void => context.reportUpstream?.(name);
  return { requestId, project, model, requestBody, batchLine, signal, reportUpstream };
}
