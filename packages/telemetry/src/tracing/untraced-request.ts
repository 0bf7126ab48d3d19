import type { AttemptObservation, GenerationObservation, RequestObservation } from '@modelwire/ports';
import { notObserved } from '../not-observed.ts';
import { traceHeaders } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import { randomSpanId } from './sampling.ts';

/** A request that is not sampled. Upstreams are told, so that they do not sample it either. */
export class UntracedRequest implements RequestObservation, GenerationObservation {
  readonly #parent: TraceContext | undefined;
  readonly #newTraceId: () => string;
  #headers: Readonly<Record<string, string>> | undefined = undefined;

  constructor(parent: TraceContext | undefined, newTraceId: () => string) {
    this.#parent = parent;
    this.#newTraceId = newTraceId;
  }

  startQueueWait() {
    return notObserved;
  }

  startGeneration(): GenerationObservation {
    return this;
  }

  startModeration() {
    return notObserved;
  }

  startTool() {
    return notObserved;
  }

  startUpstreamAttempt(): AttemptObservation {
    // One context for all attempts of the request; IDs are made only for requests that reach an upstream.
    this.#headers ??= traceHeaders({
      ...(this.#parent ?? { traceId: this.#newTraceId(), spanId: randomSpanId(), traceState: undefined }),
      isSampled: false,
    });
    return { headers: this.#headers, end: notObserved.end };
  }

  end(): void {
    // There is nothing to record.
  }
}
