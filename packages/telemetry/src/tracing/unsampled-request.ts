import type { AttemptObservation, GenerationObservation, RequestObservation } from '@modelwire/ports';
import { noopObservation } from '../noop-observation.ts';
import { traceHeaders } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';

/** A request that is not sampled. The trace context for upstreams has the same decision, so that they do not sample it either. */
export class UnsampledRequest implements RequestObservation, GenerationObservation {
  readonly #parent: TraceContext | undefined;
  readonly #newTraceparent: () => string | undefined;
  #headers: Readonly<Record<string, string>> | undefined = undefined;

  /** @param newTraceparent Generates the header of a request without a trace context; undefined: upstreams receive none. */
  constructor(parent: TraceContext | undefined, newTraceparent: () => string | undefined) {
    this.#parent = parent;
    this.#newTraceparent = newTraceparent;
  }

  startQueueWait() {
    return noopObservation;
  }

  startGeneration(): GenerationObservation {
    return this;
  }

  startModeration() {
    return noopObservation;
  }

  startTool() {
    return noopObservation;
  }

  startUpstreamAttempt(): AttemptObservation {
    return { headers: this.traceHeaders(), end: noopObservation.end };
  }

  /** Returns the trace context headers, which all attempts share. IDs are generated only for requests that reach an upstream. */
  traceHeaders(): Readonly<Record<string, string>> {
    this.#headers ??= this.#createHeaders();
    return this.#headers;
  }

  #createHeaders(): Readonly<Record<string, string>> {
    if (this.#parent) return traceHeaders({ ...this.#parent, isSampled: false });
    const traceparent = this.#newTraceparent();
    return traceparent === undefined ? {} : { traceparent };
  }

  end(): void {
    // There is nothing to record.
  }
}
