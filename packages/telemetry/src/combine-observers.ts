import type {
  AttemptObservation,
  ChatEvent,
  GenerationObservation,
  GenerationOutcome,
  Observation,
  ObservedAttempt,
  ObservedGeneration,
  ObservedModeration,
  Observer,
  RequestObservation,
  RequestOutcome,
  StorageObserver,
} from '@modelwire/ports';
import { noopObservation } from './observed.ts';

/**
 * Combines two observers, such as metrics and traces, into one. Trace headers, trace IDs and the context of requests are those of the second.
 * If one of them skips a request, the other one observes it alone.
 */
export function combineObservers(first: Observer, second: Observer): Observer {
  return {
    startRequest(request) {
      const firstRequest = first.startRequest(request);
      const secondRequest = second.startRequest(request);
      if (!firstRequest || !secondRequest) return firstRequest ?? secondRequest;
      return new CombinedRequest(firstRequest, secondRequest);
    },
    startBatch(batch) {
      const observations = [first.startBatch?.(batch), second.startBatch?.(batch)];
      return {
        lineEnded: (outcome) => observations.forEach((observation) => observation?.lineEnded(outcome)),
        setLate: (isLate) => observations.forEach((observation) => observation?.setLate?.(isLate)),
        end: () => observations.forEach((observation) => observation?.end()),
      };
    },
    webhookAttempted(attempt) {
      first.webhookAttempted?.(attempt);
      second.webhookAttempted?.(attempt);
    },
    batchApiCalled(call) {
      first.batchApiCalled?.(call);
      second.batchApiCalled?.(call);
    },
    fileStored(file) {
      first.fileStored?.(file);
      second.fileStored?.(file);
    },
    contentCorrupted() {
      first.contentCorrupted?.();
      second.contentCorrupted?.();
    },
    budgetExceeded(budget) {
      first.budgetExceeded?.(budget);
      second.budgetExceeded?.(budget);
    },
  };
}

/** Combines two storage observers into one. */
export function combineStorageObservers(first: StorageObserver, second: StorageObserver): StorageObserver {
  return {
    startOperation: (operation) =>
      combineObservations(first.startOperation(operation), second.startOperation(operation)),
  };
}

class CombinedRequest implements RequestObservation {
  readonly traceId: string | undefined;
  readonly #first: RequestObservation;
  readonly #second: RequestObservation;

  constructor(first: RequestObservation, second: RequestObservation) {
    this.#first = first;
    this.#second = second;
    this.traceId = second.traceId;
  }

  run<Result>(handle: () => Result): Result {
    return this.#second.run ? this.#second.run(handle) : handle();
  }

  traceHeaders(): Readonly<Record<string, string>> {
    return this.#second.traceHeaders?.() ?? {};
  }

  startQueueWait(wait: { readonly engine: string }) {
    return combineObservations(this.#first.startQueueWait(wait), this.#second.startQueueWait(wait));
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    return new CombinedGeneration(this.#first.startGeneration(generation), this.#second.startGeneration(generation));
  }

  startModeration(moderation: ObservedModeration) {
    return combineObservations(this.#first.startModeration(moderation), this.#second.startModeration(moderation));
  }

  startTool(tool: { readonly name: 'web_search' }) {
    return combineObservations(this.#first.startTool(tool), this.#second.startTool(tool));
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return combineAttempts(this.#first.startUpstreamAttempt(attempt), this.#second.startUpstreamAttempt(attempt));
  }

  end(outcome: RequestOutcome): void {
    this.#first.end(outcome);
    this.#second.end(outcome);
  }
}

class CombinedGeneration implements GenerationObservation {
  readonly onEvent: ((event: ChatEvent) => void) | undefined;
  readonly #first: GenerationObservation;
  readonly #second: GenerationObservation;

  constructor(first: GenerationObservation, second: GenerationObservation) {
    this.#first = first;
    this.#second = second;
    this.onEvent =
      first.onEvent || second.onEvent
        ? (event) => {
            first.onEvent?.(event);
            second.onEvent?.(event);
          }
        : undefined;
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return combineAttempts(this.#first.startUpstreamAttempt(attempt), this.#second.startUpstreamAttempt(attempt));
  }

  end(outcome: GenerationOutcome): void {
    this.#first.end(outcome);
    this.#second.end(outcome);
  }
}

function combineObservations<Outcome>(first: Observation<Outcome>, second: Observation<Outcome>): Observation<Outcome> {
  if (second === noopObservation) return first;
  if (first === noopObservation) return second;
  return {
    end(outcome) {
      first.end(outcome);
      second.end(outcome);
    },
  };
}

function combineAttempts(first: AttemptObservation, second: AttemptObservation): AttemptObservation {
  return {
    headers: second.headers,
    end(outcome) {
      first.end(outcome);
      second.end(outcome);
    },
  };
}
