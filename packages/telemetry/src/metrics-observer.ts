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
import { createBoundedValues } from './bounded-values.ts';
import { errorCodes } from './error-codes.ts';
import type { NonSkippingObserver } from './non-skipping-observer.ts';
import type { CounterSeries } from './counter.ts';
import type { HistogramSeries } from './histogram.ts';
import { isClientDisconnect } from './is-client-disconnect.ts';
import { isInternal } from './is-internal.ts';
import { noopObservation } from './noop-observation.ts';
import { RecordBatch } from './record-batch.ts';
import { RouteSeries } from './route-series.ts';
import { createServerMetrics } from './server-metrics.ts';
import type { GenerationSeries, ServerMetrics } from './server-metrics.ts';
import type { Registry } from './registry.ts';
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
  const context: MetricsContext = {
    endedRequests: new RecordBatch(createEndedRequest, (request) => countRequest(context, request)),
    endedGenerations: new RecordBatch(createEndedGeneration, countGeneration),
    endedAttempts: new RecordBatch(createEndedAttempt, (ended) => countAttempt(context, ended)),
    metrics: createServerMetrics(registry, { includeProjectLabel }),
    model: createBoundedValues({ max: 1000, isAllowed: isListedModel }),
    code: createBoundedValues({ max: 200, reserved: errorCodes }),
    failure: createBoundedValues({ max: 100 }),
    project: includeProjectLabel ? createBoundedValues({ max: 500 }) : () => undefined,
    routes: new Map(),
    generations: new Map(),
    attempts: new Map(),
    lastGeneration: undefined,
  };
  const { metrics, endedRequests, endedGenerations, endedAttempts } = context;
  registry.onScrape(() => {
    endedRequests.flush();
    endedGenerations.flush();
    endedAttempts.flush();
  });
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
    contentCorrupted: () => metrics.contentsCorrupted.series().add(),
    budgetExceeded: ({ limit, unit }) => metrics.budgetExceeded.series(limit, unit).add(),
  };
}

interface MetricsContext {
  readonly endedRequests: RecordBatch<EndedRequest>;
  readonly endedGenerations: RecordBatch<EndedGeneration>;
  readonly endedAttempts: RecordBatch<EndedAttempt>;
  readonly metrics: ServerMetrics;
  readonly model: (value: string) => string;
  readonly code: (value: string) => string;
  readonly failure: (value: string) => string;
  /** Returns undefined without the label `project`. */
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

export interface TracePropagation {
  traceHeaders(): Readonly<Record<string, string>>;
}

export class RequestMetrics implements RequestObservation {
  /** Provides the trace headers for upstreams. Default: the trace context of the client, unchanged. */
  propagation: TracePropagation | undefined = undefined;
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
        metrics.moderations.series(model, target, decision).add();
      },
    };
  }

  startTool({ name }: { readonly name: string }): Observation<OperationOutcome> {
    const { metrics } = this.#context;
    return { end: ({ error }) => metrics.toolCalls.series(name, error === undefined ? 'completed' : 'failed').add() };
  }

  startUpstreamAttempt(attempt: ObservedAttempt): AttemptObservation {
    return new AttemptMetrics(this.#context, attempt, this);
  }

  traceHeaders(): Readonly<Record<string, string>> {
    if (this.propagation) return this.propagation.traceHeaders();
    const clientContext = readTraceContext(this.#request.header);
    return clientContext ? traceHeaders(clientContext) : {};
  }

  end({ status, durationMs, error, project, streamed, aborted, upstream }: RequestOutcome): void {
    const { method, route = 'unmatched' } = this.#request;
    // Batch lines have their own metrics. The request that created a background response or video was counted when it was received.
    if (isInternal(this.#request)) return;
    const ended = this.#context.endedRequests.next();
    ended.method = method;
    ended.route = route;
    ended.status = status;
    ended.durationMs = durationMs;
    ended.error = error;
    ended.project = project;
    ended.isStreamed = streamed === true;
    ended.isAborted = aborted === true;
    ended.isFromUpstream = upstream !== undefined;
  }
}

/** A request that has not been counted yet. */
interface EndedRequest {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  error: string | undefined;
  project: string | undefined;
  isStreamed: boolean;
  isAborted: boolean;
  isFromUpstream: boolean;
}

function createEndedRequest(): EndedRequest {
  return {
    method: '',
    route: '',
    status: 0,
    durationMs: NaN,
    error: undefined,
    project: undefined,
    isStreamed: false,
    isAborted: false,
    isFromUpstream: false,
  };
}

function countRequest(context: MetricsContext, request: EndedRequest): void {
  const { metrics, code, project: projectLabelOf } = context;
  const { method, route, status, durationMs, error, project, isStreamed, isAborted, isFromUpstream } = request;
  const errorCode = error === undefined ? '' : code(error);
  const series = routeSeries(context, route);
  series.duration.record(durationMs / 1000);
  const methodLabel = knownMethods.has(method) ? method : 'other';
  series.requests({ method: methodLabel, status, code: errorCode, project: projectLabelOf(project ?? '') }).add();
  if (isAborted) metrics.aborted.series(route).add();
  // A request that is refused before its stream begins has a status from 400.
  if (isStreamed && status < 400) {
    metrics.streams.series(route, isAborted ? 'aborted' : error === undefined ? 'completed' : 'failed').add();
  }
  // A 429 that was passed on from an upstream is not a limit of this server.
  if (status === 429 && !isFromUpstream) metrics.rateLimited.series(errorCode).add();
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
    const endedAt = performance.now();
    const { queuedMs, isStreamed } = this.#generation;
    const series = generationSeries(this.#context, this.#generation);
    const ended = this.#context.endedGenerations.next();
    ended.series = series;
    ended.outcome = error === undefined ? 'completed' : isClientDisconnect(error) ? 'aborted' : 'failed';
    ended.startedAt = this.#startedAt;
    ended.firstTokenAt = isStreamed && firstTokenAt !== undefined ? firstTokenAt : NaN;
    ended.endedAt = endedAt;
    ended.queuedMs = queuedMs;
    ended.inputTokens = usage?.prompt_tokens ?? 0;
    ended.outputTokens = usage?.completion_tokens ?? 0;
    ended.cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? 0;
    ended.reasoningTokens = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  }
}

/** A generation that has not been counted yet. Times are those of `performance.now()`. */
interface EndedGeneration {
  series: GenerationSeries | undefined;
  outcome: 'completed' | 'failed' | 'aborted';
  startedAt: number;
  /** NaN without a first token, and for replies that are not streamed. */
  firstTokenAt: number;
  endedAt: number;
  queuedMs: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
}

function createEndedGeneration(): EndedGeneration {
  return {
    series: undefined,
    outcome: 'completed',
    startedAt: NaN,
    firstTokenAt: NaN,
    endedAt: NaN,
    queuedMs: NaN,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
  };
}

function countGeneration(generation: EndedGeneration): void {
  const { series, startedAt, firstTokenAt, endedAt, outputTokens } = generation;
  if (!series) return;
  series[generation.outcome].add();
  series.duration.record((endedAt - startedAt) / 1000);
  series.queueWait.record(generation.queuedMs / 1000);
  if (!Number.isNaN(firstTokenAt)) {
    series.timeToFirstToken.record((firstTokenAt - startedAt) / 1000);
    if (outputTokens > 1) series.timePerOutputToken.record((endedAt - firstTokenAt) / 1000 / (outputTokens - 1));
  }
  series.inputTokens.add(generation.inputTokens);
  series.outputTokens.add(outputTokens);
  series.cachedTokens.add(generation.cachedTokens);
  series.reasoningTokens.add(generation.reasoningTokens);
}

function generationSeries(
  context: MetricsContext,
  { operation, model, project }: ObservedGeneration,
): GenerationSeries {
  const { lastGeneration } = context;
  // Consecutive requests often have the same model: this comparison is faster than building the key of the map.
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
  // Not cached for `other`, because the model can be listed later.
  context.lastGeneration = modelLabel === model ? { operation, model, project, series } : undefined;
  return series;
}

/** The series in which most attempts at an upstream are counted. */
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
    const durationMs = performance.now() - this.#startedAt;
    const ended = this.#context.endedAttempts.next();
    ended.upstream = this.#upstream;
    ended.durationMs = durationMs;
    ended.failure = failure;
    ended.isAborted = aborted === true;
  }
}

/** An attempt at an upstream that has not been counted yet. */
interface EndedAttempt {
  upstream: string;
  durationMs: number;
  failure: string | undefined;
  isAborted: boolean;
}

function createEndedAttempt(): EndedAttempt {
  return { upstream: '', durationMs: NaN, failure: undefined, isAborted: false };
}

function countAttempt(context: MetricsContext, { upstream, durationMs, failure, isAborted }: EndedAttempt): void {
  const { metrics, failure: failureLabel } = context;
  const { duration, succeeded } = attemptSeries(context, upstream);
  duration.record(durationMs / 1000);
  if (isAborted) metrics.attempts.series(upstream, 'aborted').add();
  else if (failure === undefined) succeeded.add();
  else metrics.attempts.series(upstream, 'failed').add();
  if (failure !== undefined) metrics.attemptFailures.series(upstream, failureLabel(failure)).add();
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
