import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, Tracer } from '@opentelemetry/api';
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
import {
  attemptOutcomeAttributes,
  attemptDescription,
  requestErrorType,
  requestOutcomeAttributes,
} from './attributes.ts';
import { GenerationSpan } from './generation-span.ts';
import { headersOf, setFailed, startChildSpan, startOperation } from './spans.ts';

export interface RequestSpanInit {
  readonly tracer: Tracer;
  /** The header `tracestate` of the client. */
  readonly traceState: string | undefined;
  readonly capturesContent: boolean;
  readonly current: AsyncLocalStorage<RequestSpan>;
}

/** The span of a sampled request. */
export class RequestSpan implements RequestObservation {
  readonly traceId: string;
  readonly span: Span;
  hasEnded = false;
  readonly #init: RequestSpanInit;

  constructor(span: Span, init: RequestSpanInit) {
    this.span = span;
    this.#init = init;
    this.traceId = span.spanContext().traceId;
  }

  run<Result>(handle: () => Result): Result {
    return this.#init.current.run(this, handle);
  }

  traceHeaders(): Readonly<Record<string, string>> {
    return headersOf(this.span, this.#init.traceState);
  }

  startQueueWait({ engine }: { readonly engine: string }): Observation<OperationOutcome> {
    return startOperation(this.#init.tracer, this.span, { name: 'queue', attributes: { 'modelwire.engine': engine } });
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    return new GenerationSpan(generation, {
      tracer: this.#init.tracer,
      parent: this.span,
      capturesContent: this.#init.capturesContent,
      startAttempt: (attempt, parent) => this.#startAttempt(attempt, parent),
    });
  }

  startModeration({ model, target }: ObservedModeration): Observation<ModerationOutcome> {
    const attributes = { 'gen_ai.request.model': model, 'modelwire.moderation.of': target };
    const { span, end } = startOperation(this.#init.tracer, this.span, { name: `moderation ${model}`, attributes });
    return {
      end(outcome) {
        if (outcome.isFlagged !== undefined) span.setAttribute('modelwire.moderation.flagged', outcome.isFlagged);
        end(outcome);
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<OperationOutcome> {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    return startOperation(this.#init.tracer, this.span, { name: `execute_tool ${name}`, attributes });
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#startAttempt(attempt, this.span);
  }

  #startAttempt(attempt: ObservedAttempt, parent: Span): AttemptObservation {
    const span = startChildSpan(this.#init.tracer, parent, attemptDescription(attempt));
    return {
      headers: headersOf(span, this.#init.traceState),
      end(outcome: AttemptOutcome) {
        span.setAttributes(attemptOutcomeAttributes(outcome));
        if (outcome.failure !== undefined) setFailed(span);
        span.end();
      },
    };
  }

  end(outcome: RequestOutcome): void {
    this.hasEnded = true;
    const { span } = this;
    span.setAttributes(requestOutcomeAttributes(outcome));
    if (requestErrorType(outcome) !== undefined) setFailed(span);
    span.end();
  }
}
