import type {
  AttemptObservation,
  AttemptOutcome,
  BatchObservation,
  OperationOutcome,
  GenerationObservation,
  GenerationOutcome,
  ModerationOutcome,
  Observation,
  ObservedAttempt,
  ObservedGeneration,
  ObservedModeration,
  ObservedRequest,
  RequestObservation,
  RequestOutcome,
} from '@modelwire/ports';
import type { Registry } from 'prom-client';
import { createBoundedLabels, createBoundedValues } from './bounded-values.ts';
import { errorCodes } from './error-codes.ts';
import { isClientDisconnect, isInternal, noopObservation } from './observed.ts';
import type { NonSkippingObserver } from './observed.ts';
import { createServerMetrics } from './server-metrics.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { readTraceContext, traceHeaders } from './trace-context.ts';

export interface MetricsObserverOptions {
  /** Whether the server lists a model. Other names, which clients can choose freely, are counted as `other`. */
  readonly isListedModel: (model: string) => boolean;
  /** Whether the metrics of requests and tokens have the label `project`. Default false. */
  readonly includeProjectLabel?: boolean | undefined;
}

/** Creates an observer that adds the metrics of requests, generations, tokens, upstreams, batches, files and webhooks to a registry. */
export function createMetricsObserver(
  registry: Registry,
  { isListedModel, includeProjectLabel = false }: MetricsObserverOptions,
): NonSkippingObserver {
  const metrics = createServerMetrics(registry, { includeProjectLabel });
  const projectOf = createBoundedValues({ max: 500 });
  const context: MetricsContext = {
    metrics,
    model: createBoundedValues({ max: 1000, isAllowed: isListedModel }),
    code: createBoundedValues({ max: 200, reserved: errorCodes }),
    failure: createBoundedValues({ max: 100 }),
    projectLabel: includeProjectLabel ? (project) => ({ project: projectOf(project) }) : () => ({}),
    boundRequestLabels: createBoundedLabels(),
    boundTokenLabels: includeProjectLabel ? createBoundedLabels() : (labels) => labels,
    countedGenerations: new Set(),
  };
  return {
    startRequest: (request) => new RequestMetrics(context, request),
    startBatch: ({ lines }) => startBatch(metrics, lines),
    webhookAttempted({ type, outcome, durationMs }) {
      metrics.webhookAttempts.inc({ event: type, outcome });
      metrics.webhookDuration.observe(durationMs / 1000);
    },
    batchApiCalled({ upstream, operation, outcome, durationMs }) {
      metrics.batchApiCalls.inc({ upstream, operation, outcome });
      metrics.batchApiDuration.observe({ upstream, operation }, durationMs / 1000);
    },
    fileStored({ source, bytes }) {
      metrics.filesStored.inc({ source });
      metrics.fileBytes.inc({ source }, bytes);
    },
    contentCorrupted: () => metrics.contentsCorrupted.inc(),
    budgetExceeded: ({ limit, unit }) => metrics.budgetExceeded.inc({ limit, unit }),
  };
}

type Labels = Readonly<Record<string, string>>;

interface MetricsContext {
  readonly metrics: ServerMetrics;
  readonly model: (value: string) => string;
  readonly code: (value: string) => string;
  readonly failure: (value: string) => string;
  /** The label `project`, if metrics have it. */
  readonly projectLabel: (project: string) => Labels;
  readonly boundRequestLabels: (labels: Labels) => Labels;
  readonly boundTokenLabels: (labels: Labels) => Labels;
  /** The operations and models whose generations have been counted. */
  readonly countedGenerations: Set<string>;
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

class RequestMetrics implements RequestObservation {
  readonly #context: MetricsContext;
  readonly #request: ObservedRequest;

  constructor(context: MetricsContext, request: ObservedRequest) {
    this.#context = context;
    this.#request = request;
  }

  startQueueWait(): Observation<OperationOutcome> {
    return noopObservation;
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    return new GenerationMetrics(this.#context, generation, this);
  }

  startModeration({ model, target }: ObservedModeration): Observation<ModerationOutcome> {
    const { metrics } = this.#context;
    return {
      end({ isFlagged }) {
        const decision = isFlagged === undefined ? 'failed' : isFlagged ? 'flagged' : 'passed';
        metrics.moderations.inc({ model, of: target, decision });
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<OperationOutcome> {
    const { metrics } = this.#context;
    return {
      end: ({ error }) => metrics.toolCalls.inc({ tool: name, outcome: error === undefined ? 'completed' : 'failed' }),
    };
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return new AttemptMetrics(this.#context, attempt, this);
  }

  /** The trace context of the client, unchanged. */
  traceHeaders(): Readonly<Record<string, string>> {
    const clientContext = readTraceContext(this.#request.header);
    return clientContext ? traceHeaders(clientContext) : {};
  }

  end(outcome: RequestOutcome): void {
    const { status, durationMs, error, project = '', streamed, aborted, upstream } = outcome;
    const { method, route = 'unmatched' } = this.#request;
    const { model = '', outputSteps = [] } = outcome;
    for (const step of outputSteps) this.#context.metrics.outputSteps.inc({ model: this.#context.model(model), step });
    // Batch lines have their own metrics. The request that created a background response or video was counted when it was received.
    if (isInternal(this.#request)) return;
    const { metrics, boundRequestLabels, projectLabel } = this.#context;
    const code = error === undefined ? '' : this.#context.code(error);
    metrics.requestDuration.observe({ route }, durationMs / 1000);
    const methodLabel = knownMethods.has(method) ? method : 'other';
    metrics.requests.inc(
      boundRequestLabels({ method: methodLabel, route, status: String(status), code, ...projectLabel(project) }),
    );
    if (aborted === true) metrics.aborted.inc({ route });
    // A request that is refused before its stream begins has a status from 400.
    if (streamed === true && status < 400) {
      const ending = aborted === true ? 'aborted' : error === undefined ? 'completed' : 'failed';
      metrics.streams.inc({ route, outcome: ending });
    }
    // A 429 that was passed on from an upstream is not a limit of this server.
    if (status === 429 && upstream === undefined) metrics.rateLimited.inc({ code });
  }
}

class GenerationMetrics implements GenerationObservation {
  readonly #context: MetricsContext;
  readonly #generation: ObservedGeneration;
  readonly #request: RequestMetrics;
  readonly #startedAt = performance.now();
  #lastUpstream: string | undefined;

  constructor(context: MetricsContext, generation: ObservedGeneration, request: RequestMetrics) {
    this.#context = context;
    this.#generation = generation;
    this.#request = request;
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    this.#lastUpstream = attempt.upstream;
    return this.#request.startUpstreamAttempt(attempt);
  }

  end({ usage, firstTokenAt, error }: GenerationOutcome): void {
    const endedAt = performance.now();
    const { metrics, projectLabel, boundTokenLabels } = this.#context;
    const { operation, queuedMs, isStreamed, project } = this.#generation;
    const model = this.#context.model(this.#generation.model);
    const outcome = error === undefined ? 'completed' : isClientDisconnect(error) ? 'aborted' : 'failed';
    for (const possible of newOutcomes(this.#context, { model, operation }))
      metrics.generations.inc({ model, operation, outcome: possible }, 0);
    metrics.generations.inc({ model, operation, outcome });
    metrics.generationDuration.observe({ model, operation }, (endedAt - this.#startedAt) / 1000);
    metrics.queueWait.observe({ model }, queuedMs / 1000);
    const outputTokens = usage?.completion_tokens ?? 0;
    if (isStreamed && firstTokenAt !== undefined) {
      metrics.timeToFirstToken.observe({ model }, (firstTokenAt - this.#startedAt) / 1000);
      if (outputTokens > 1)
        metrics.timePerOutputToken.observe({ model }, (endedAt - firstTokenAt) / 1000 / (outputTokens - 1));
    }
    const count = (type: string, tokens: number): void =>
      metrics.tokens.inc(boundTokenLabels({ model, type, ...projectLabel(project) }), tokens);
    count('input', usage?.prompt_tokens ?? 0);
    count('output', outputTokens);
    const { cached_tokens: cachedTokens = 0 } = usage?.prompt_tokens_details ?? {};
    const { reasoning_tokens: reasoningTokens = 0 } = usage?.completion_tokens_details ?? {};
    if (cachedTokens > 0) count('cached', cachedTokens);
    if (reasoningTokens > 0) count('reasoning', reasoningTokens);
    const upstream = this.#lastUpstream;
    if (upstream === undefined || !usage || outcome !== 'completed' || operation === 'embeddings') return;
    metrics.promptTokens.inc({ upstream, type: 'all' }, usage.prompt_tokens);
    metrics.promptTokens.inc({ upstream, type: 'cached' }, cachedTokens);
  }
}

const generationOutcomes = ['completed', 'failed', 'aborted'] as const;

/** Outcomes begin at 0 with the first generation of a model: an increase from nothing to 1 is none for Prometheus. */
function newOutcomes(
  { countedGenerations }: MetricsContext,
  { model, operation }: { readonly model: string; readonly operation: string },
): readonly string[] {
  const key = `${operation} ${model}`;
  if (countedGenerations.has(key)) return [];
  countedGenerations.add(key);
  return generationOutcomes;
}

class AttemptMetrics implements AttemptObservation {
  readonly #context: MetricsContext;
  readonly #upstream: string;
  readonly #request: RequestMetrics;
  readonly #startedAt = performance.now();

  constructor(context: MetricsContext, { upstream }: ObservedAttempt, request: RequestMetrics) {
    this.#context = context;
    this.#upstream = upstream;
    this.#request = request;
  }

  /** Propagates the trace context of the request to the upstream. */
  get headers(): Readonly<Record<string, string>> {
    return this.#request.traceHeaders();
  }

  end({ failure, aborted }: AttemptOutcome): void {
    const { metrics, failure: reasonOf } = this.#context;
    const upstream = this.#upstream;
    metrics.attemptDuration.observe({ upstream }, (performance.now() - this.#startedAt) / 1000);
    const outcome = aborted === true ? 'aborted' : failure === undefined ? 'succeeded' : 'failed';
    metrics.attempts.inc({ upstream, outcome });
    if (failure !== undefined) metrics.attemptFailures.inc({ upstream, reason: reasonOf(failure) });
  }
}

function startBatch({ batchLines, batchLinesPending, batchesLate }: ServerMetrics, lines: number): BatchObservation {
  let remaining = lines;
  let wasLate = false;
  function setLate(isLate: boolean): void {
    batchesLate.inc(Number(isLate) - Number(wasLate));
    wasLate = isLate;
  }
  batchLinesPending.inc(remaining);
  return {
    lineEnded(outcome) {
      batchLines.inc({ outcome });
      if (remaining === 0) return;
      remaining--;
      batchLinesPending.dec();
    },
    setLate,
    end() {
      setLate(false);
      batchLinesPending.dec(remaining);
      remaining = 0;
    },
  };
}
