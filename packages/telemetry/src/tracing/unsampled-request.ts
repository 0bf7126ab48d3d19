import type { AttemptObservation, GenerationObservation, RequestObservation } from '@modelwire/ports';
import { noopObservation } from '../observed.ts';

type Headers = Readonly<Record<string, string>>;

/** A request that is not sampled. The trace context for upstreams has the same decision, so that they do not sample it either. */
export class UnsampledRequest implements RequestObservation, GenerationObservation {
  readonly #headers: Headers;

  constructor(headers: Headers) {
    this.#headers = headers;
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
    return { headers: this.#headers, end: noopObservation.end };
  }

  traceHeaders(): Headers {
    return this.#headers;
  }

  end(): void {
    // There is nothing to record.
  }
}
