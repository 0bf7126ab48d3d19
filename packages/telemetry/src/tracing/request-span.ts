import type { AsyncLocalStorage } from 'node:async_hooks';
import type {
  AttemptObservation,
  AttemptOutcome,
  OperationOutcome,
  GenerationObservation,
  ModerationOutcome,
  Observation,
  ObservedAttempt,
  ObservedGeneration,
  ObservedModeration,
  RequestObservation,
  RequestOutcome,
} from '@modelwire/ports';
import { traceHeaders } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import {
  attemptOutcomeAttributes,
  attemptDescription,
  requestErrorType,
  requestOutcomeAttributes,
} from './attributes.ts';
import { GenerationSpan } from './generation-span.ts';
import { SpanDescription } from './span-description.ts';
import { startOperation } from './start-operation.ts';
import type { TracingSpan } from './tracing-span.ts';

export interface RequestSpanInit {
  readonly parent: TraceContext | undefined;
  readonly capturesContent: boolean;
  /** The start of the request in milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly current: AsyncLocalStorage<RequestSpan>;
}

/** The span of a sampled request. */
export class RequestSpan implements RequestObservation {
  readonly traceId: string;
  readonly span: TracingSpan;
  hasEnded = false;
  readonly #init: RequestSpanInit;

  constructor(span: TracingSpan, init: RequestSpanInit) {
    this.span = span;
    this.#init = init;
    this.traceId = span.traceId;
  }

  run<Result>(handle: () => Result): Result {
    return this.#init.current.run(this, handle);
  }

  traceHeaders(): Readonly<Record<string, string>> {
    return this.#headersOf(this.span);
  }

  startQueueWait({ engine }: { readonly engine: string }): Observation<OperationOutcome> {
    return startOperation(this.span, () => new SpanDescription('queue', { 'modelwire.engine': engine }));
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    return new GenerationSpan(generation, {
      parent: this.span,
      capturesContent: this.#init.capturesContent,
      startAttempt: (attempt, parent) => this.#startAttempt(attempt, parent),
    });
  }

  startModeration({ model, target }: ObservedModeration): Observation<ModerationOutcome> {
    const attributes = { 'gen_ai.request.model': model, 'modelwire.moderation.of': target };
    const { span, end } = startOperation(this.span, () => new SpanDescription(`moderation ${model}`, attributes));
    return {
      end(outcome) {
        if (outcome.isFlagged !== undefined) span.setAttributes({ 'modelwire.moderation.flagged': outcome.isFlagged });
        end(outcome);
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<OperationOutcome> {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    return startOperation(this.span, () => new SpanDescription(`execute_tool ${name}`, attributes));
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#startAttempt(attempt, this.span);
  }

  #startAttempt(attempt: ObservedAttempt, parent: TracingSpan): AttemptObservation {
    const span = parent.startChild(attemptDescription(attempt));
    return {
      headers: this.#headersOf(span),
      end(outcome: AttemptOutcome) {
        span.setAttributes(attemptOutcomeAttributes(outcome));
        if (outcome.failure !== undefined) span.setFailed();
        span.end();
      },
    };
  }

  #headersOf({ traceId, spanId }: TracingSpan): Readonly<Record<string, string>> {
    return traceHeaders({ traceId, spanId, isSampled: true, traceState: this.#init.parent?.traceState });
  }

  end(outcome: RequestOutcome): void {
    this.hasEnded = true;
    const { span } = this;
    span.setAttributes({ 'modelwire.request.id': outcome.requestId });
    span.setAttributes(requestOutcomeAttributes(outcome));
    if (requestErrorType(outcome) !== undefined) span.setFailed();
    span.end(this.#init.startedAt + outcome.durationMs);
  }
}
