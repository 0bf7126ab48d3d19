import type { AsyncLocalStorage } from 'node:async_hooks';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type {
  AttemptObservation,
  AttemptOutcome,
  Failable,
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
import { attemptAttributes, attemptOutcomeAttributes } from './attributes.ts';
import { GenerationSpan } from './generation-span.ts';
import { childContext, startChild } from './spans.ts';

export interface RequestSpanInit {
  readonly tracer: Tracer;
  readonly parent: TraceContext | undefined;
  readonly capturesContent: boolean;
  readonly current: AsyncLocalStorage<RequestSpan>;
}

/** A request that is sampled. */
export class RequestSpan implements RequestObservation {
  readonly traceId: string;
  /** For spans of its parts. */
  readonly context: Context;
  hasEnded = false;
  readonly #span: Span;
  readonly #init: RequestSpanInit;

  constructor(span: Span, init: RequestSpanInit) {
    this.#span = span;
    this.#init = init;
    this.traceId = span.spanContext().traceId;
    this.context = childContext(span);
  }

  run<Result>(handle: () => Result): Result {
    return this.#init.current.run(this, handle);
  }

  startQueueWait({ engine }: { readonly engine: string }): Observation<Failable> {
    return startChild(this.#init.tracer, 'queue', this.context, { attributes: { 'modelwire.engine': engine } });
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    const { tracer, capturesContent } = this.#init;
    return new GenerationSpan(generation, {
      tracer,
      parent: this.context,
      capturesContent,
      startAttempt: (attempt, context) => this.#startAttempt(attempt, context),
    });
  }

  startModeration({ model, of }: ObservedModeration): Observation<ModerationOutcome> {
    const attributes = { 'gen_ai.request.model': model, 'modelwire.moderation.of': of };
    const { span, end } = startChild(this.#init.tracer, `moderation ${model}`, this.context, { attributes });
    return {
      end(outcome) {
        if (outcome.isFlagged !== undefined) span.setAttribute('modelwire.moderation.flagged', outcome.isFlagged);
        end(outcome);
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<Failable> {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    return startChild(this.#init.tracer, `execute_tool ${name}`, this.context, { attributes });
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#startAttempt(attempt, this.context);
  }

  #startAttempt(attempt: ObservedAttempt, parent: Context): AttemptObservation {
    const { tracer, parent: caller } = this.#init;
    const options = { kind: SpanKind.CLIENT, attributes: attemptAttributes(attempt) };
    const span = tracer.startSpan(`${attempt.method} ${attempt.upstream}`, options, parent);
    const { traceId, spanId } = span.spanContext();
    return {
      headers: traceHeaders({ traceId, spanId, isSampled: true, traceState: caller?.traceState }),
      end(outcome: AttemptOutcome) {
        span.setAttributes(attemptOutcomeAttributes(outcome));
        const { status, failure } = outcome;
        if (failure !== undefined) {
          span.setAttribute('error.type', status === undefined || status < 400 ? failure : String(status));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  end(outcome: RequestOutcome): void {
    this.hasEnded = true;
    const { requestId, status, error, project, model, upstream, aborted, streamed } = outcome;
    const span = this.#span;
    span.setAttribute('modelwire.request.id', requestId);
    span.setAttribute('http.response.status_code', status);
    if (project !== undefined) span.setAttribute('modelwire.project', project);
    if (model !== undefined) span.setAttribute('gen_ai.request.model', model);
    if (upstream !== undefined) span.setAttribute('modelwire.upstream', upstream);
    if (error !== undefined) span.setAttribute('modelwire.error.code', error);
    if (aborted === true) span.setAttribute('modelwire.aborted', true);
    else if (status >= 500 || (streamed === true && error !== undefined)) {
      span.setAttribute('error.type', error ?? String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}
