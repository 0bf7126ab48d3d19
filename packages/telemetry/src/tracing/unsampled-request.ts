import type { AttemptObservation, GenerationObservation, RequestObservation } from '@modelwire/ports';
import { noopObservation } from '../noop-observation.ts';
import { traceHeaders } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import { randomSpanId } from './sampler.ts';

/** A request that is not sampled. The trace context for upstreams has the same decision, so that they do not sample it either. */
export class UnsampledRequest implements RequestObservation, GenerationObservation {
  readonly #parent: TraceContext | undefined;
  readonly #newTraceId: () => string;
  #headers: Readonly<Record<string, string>> | undefined = undefined;

  constructor(parent: TraceContext | undefined, newTraceId: () => string) {
    this.#parent = parent;
    this.#newTraceId = newTraceId;
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
    // All attempts of the request share a context. IDs are generated only for requests that reach an upstream.
    this.#headers ??= traceHeaders({
      ...(this.#parent ?? { traceId: this.#newTraceId(), spanId: randomSpanId(), traceState: undefined }),
      isSampled: false,
    });
    return { headers: this.#headers, end: noopObservation.end };
  }

  end(): void {
    // There is nothing to record.
  }
}
