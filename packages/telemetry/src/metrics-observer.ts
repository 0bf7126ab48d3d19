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
  Observer,
  RequestObservation,
  RequestOutcome,
} from '@modelwire/ports';
import { createBoundedValues } from './bounded-values.ts';
import type { CounterSeries } from './counter.ts';
import type { HistogramSeries } from './histogram.ts';
import { notObserved } from './not-observed.ts';
import { RouteSeries } from './route-series.ts';
import { createServerMetrics } from './server-metrics.ts';
import type { GenerationSeries, ServerMetrics } from './server-metrics.ts';
import type { Registry } from './registry.ts';
import { readTraceContext, traceHeaders } from './trace-context.ts';

export interface MetricsObserverOptions {
  /** Whether a model is one that the server lists. The names of other models, which clients can make up, are counted as `other`. */
  readonly isListedModel: (model: string) => boolean;
  /** Adds the label `project` to requests and tokens. Default false. */
  readonly projects?: boolean | undefined;
}

/** Counts requests, generations, tokens, attempts at upstreams and more in the registry. */
export function createMetricsObserver(registry: Registry, options: MetricsObserverOptions): Observer {
  const context: MetricsContext = {
    metrics: createServerMetrics(registry, { projects: options.projects === true }),
    model: createBoundedValues(1000, options.isListedModel),
    code: createBoundedValues(200),
    failure: createBoundedValues(100),
    project: options.projects === true ? createBoundedValues(500) : () => undefined,
    routes: new Map(),
    generations: new Map(),
    attempts: new Map(),
    lastGeneration: undefined,
  };
  const { metrics } = context;
  return {
    startRequest: (request) => new RequestMetrics(context, request),
    startBatch: ({ lines }) => startBatch(metrics, lines),
    webhookAttempted({ type, outcome, durationMs }) {
      metrics.webhookAttempts.series(type, outcome).add();
      metrics.webhookDuration.series().record(durationMs / 1000);
    },
    fileStored({ source, bytes }) {
      metrics.filesStored.series(source).add();
      metrics.fileBytes.series(source).add(bytes);
    },
    budgetExceeded: ({ limit, unit }) => metrics.budgetExceeded.series(limit, unit).add(),
  };
}

interface MetricsContext {
  readonly metrics: ServerMetrics;
  readonly model: (value: string) => string;
  readonly code: (value: string) => string;
  readonly failure: (value: string) => string;
  /** Undefined where projects are no label. */
  readonly project: (value: string) => string | undefined;
  readonly routes: Map<string, RouteSeries>;
  readonly generations: Map<string, GenerationSeries>;
  /** By upstream. */
  readonly attempts: Map<string, AttemptSeries>;
  /** The series of the last generation. */
  lastGeneration:
    (Pick<ObservedGeneration, 'operation' | 'model' | 'project'> & { readonly series: GenerationSeries }) | undefined;
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
    return notObserved;
  }

  startGeneration(generation: ObservedGeneration): GenerationObservation {
    return new GenerationMetrics(this.#context, generation, this);
  }

  startModeration({ model, target: of }: ObservedModeration): Observation<ModerationOutcome> {
    const { metrics } = this.#context;
    return {
      end({ isFlagged }) {
        const decision = isFlagged === undefined ? 'failed' : isFlagged ? 'flagged' : 'passed';
        metrics.moderations.series(model, of, decision).add();
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<OperationOutcome> {
    const { metrics } = this.#context;
    return { end: ({ error }) => metrics.toolCalls.series(name, error === undefined ? 'completed' : 'failed').add() };
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return new AttemptMetrics(this.#context, attempt, this.#request);
  }

  end({ status, durationMs, error, project, streamed, aborted, upstream }: RequestOutcome): void {
    const { metrics, code, project: projectLabelOf } = this.#context;
    const { method, route = 'unmatched', batchLine } = this.#request;
    // Lines of batches are counted as such.
    if (batchLine) return;
    const errorCode = error === undefined ? '' : code(error);
    const series = routeSeries(this.#context, route);
    series.duration.record(durationMs / 1000);
    const methodLabel = knownMethods.has(method) ? method : 'other';
    series.requests({ method: methodLabel, status, code: errorCode, project: projectLabelOf(project ?? '') }).add();
    if (aborted) metrics.aborted.series(route).add();
    if (streamed) {
      metrics.streams.series(route, aborted ? 'aborted' : error === undefined ? 'completed' : 'failed').add();
    }
    // A 429 of an upstream that was passed on is not a limit of this server.
    if (status === 429 && upstream === undefined) metrics.rateLimited.series(errorCode).add();
  }
}

function routeSeries({ metrics, routes }: MetricsContext, route: string): RouteSeries {
  let series = routes.get(route);
  if (!series) {
    series = new RouteSeries(metrics, route);
    routes.set(route, series);
  }
  return series;
}

class GenerationMetrics implements GenerationObservation {
  readonly #context: MetricsContext;
  readonly #generation: ObservedGeneration;
  readonly #request: RequestMetrics;
  readonly #startedAt = performance.now();

  constructor(context: MetricsContext, generation: ObservedGeneration, request: RequestMetrics) {
    this.#context = context;
    this.#generation = generation;
    this.#request = request;
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return this.#request.startUpstreamAttempt(attempt);
  }

  end({ usage, firstTokenAt, error }: GenerationOutcome): void {
    const { queuedMs, isStreamed } = this.#generation;
    const series = generationSeries(this.#context, this.#generation);
    const now = performance.now();
    (error === undefined ? series.completed : series.failed).add();
    series.duration.record((now - this.#startedAt) / 1000);
    series.queueWait.record(queuedMs / 1000);
    if (firstTokenAt !== undefined && isStreamed) {
      series.timeToFirstToken.record((firstTokenAt - this.#startedAt) / 1000);
      const tokens = usage?.completion_tokens ?? 0;
      if (tokens > 1) series.timePerOutputToken.record((now - firstTokenAt) / 1000 / (tokens - 1));
    }
    if (!usage) return;
    series.inputTokens.add(usage.prompt_tokens);
    series.outputTokens.add(usage.completion_tokens);
    series.cachedTokens.add(usage.prompt_tokens_details?.cached_tokens ?? 0);
    series.reasoningTokens.add(usage.completion_tokens_details?.reasoning_tokens ?? 0);
  }
}

function generationSeries(
  context: MetricsContext,
  { operation, model, project }: ObservedGeneration,
): GenerationSeries {
  const { lastGeneration } = context;
  // Requests for the same model follow each other: building the key of the map takes longer than this comparison.
  if (lastGeneration?.model === model && lastGeneration.operation === operation && lastGeneration.project === project)
    return lastGeneration.series;
  const { metrics, generations } = context;
  const modelLabel = context.model(model);
  const projectLabel = context.project(project);
  const key = `${operation}\n${projectLabel ?? ''}\n${modelLabel}`;
  let series = generations.get(key);
  if (!series) {
    series = metrics.generation(modelLabel, operation, projectLabel);
    generations.set(key, series);
  }
  // A model may be listed later.
  context.lastGeneration = modelLabel === model ? { operation, model, project, series } : undefined;
  return series;
}

/** The series that most attempts at an upstream are counted in. */
interface AttemptSeries {
  readonly duration: HistogramSeries;
  readonly succeeded: CounterSeries;
}

function attemptSeries({ metrics, attempts }: MetricsContext, upstream: string): AttemptSeries {
  let series = attempts.get(upstream);
  if (!series) {
    const succeeded = metrics.attempts.series(upstream, 'succeeded');
    series = { duration: metrics.attemptDuration.series(upstream), succeeded };
    attempts.set(upstream, series);
  }
  return series;
}

class AttemptMetrics implements AttemptObservation {
  readonly #context: MetricsContext;
  readonly #upstream: string;
  readonly #request: ObservedRequest;
  readonly #startedAt = performance.now();

  constructor(context: MetricsContext, { upstream }: ObservedAttempt, request: ObservedRequest) {
    this.#context = context;
    this.#upstream = upstream;
    this.#request = request;
  }

  /** The trace of the client continues at the upstream. */
  get headers(): Readonly<Record<string, string>> {
    const caller = readTraceContext(this.#request.header);
    return caller ? traceHeaders(caller) : {};
  }

  end({ failure, aborted }: AttemptOutcome): void {
    const { metrics, failure: failureLabel } = this.#context;
    const upstream = this.#upstream;
    const { duration, succeeded } = attemptSeries(this.#context, upstream);
    duration.record((performance.now() - this.#startedAt) / 1000);
    if (aborted) metrics.attempts.series(upstream, 'aborted').add();
    else if (failure === undefined) succeeded.add();
    else metrics.attempts.series(upstream, 'failed').add();
    if (failure !== undefined) metrics.attemptFailures.series(upstream, failureLabel(failure)).add();
  }
}

function startBatch({ batchLines, batchLinesPending }: ServerMetrics, lines: number): BatchObservation {
  const pending = batchLinesPending.series();
  let remaining = lines;
  pending.value += remaining;
  return {
    lineEnded(outcome) {
      batchLines.series(outcome).add();
      if (remaining === 0) return;
      remaining--;
      pending.value--;
    },
    end() {
      pending.value -= remaining;
      remaining = 0;
    },
  };
}
