import { histogramBuckets } from './histogram-buckets.ts';
import type { CounterSeries } from './counter.ts';
import type { HistogramSeries } from './histogram.ts';
import type { Registry } from './registry.ts';

/** The series of the generations of a model, which are updated together. */
export interface GenerationSeries {
  readonly completed: CounterSeries;
  readonly failed: CounterSeries;
  /** The client disconnected. */
  readonly aborted: CounterSeries;
  readonly duration: HistogramSeries;
  readonly queueWait: HistogramSeries;
  readonly timeToFirstToken: HistogramSeries;
  readonly timePerOutputToken: HistogramSeries;
  readonly inputTokens: CounterSeries;
  readonly outputTokens: CounterSeries;
  readonly cachedTokens: CounterSeries;
  readonly reasoningTokens: CounterSeries;
}

export type ServerMetrics = ReturnType<typeof createServerMetrics>;

/** Creates all metrics that are updated while requests are handled. docs/operations/monitoring.md lists them. */
export function createServerMetrics(
  registry: Registry,
  { includeProjectLabel }: { readonly includeProjectLabel: boolean },
) {
  const project = includeProjectLabel ? (['project'] as const) : [];
  const generations = registry.counter({
    name: 'modelwire_generations_total',
    help: 'Generations, by outcome: completed, failed or aborted (the client disconnected).',
    labels: ['model', 'operation', 'outcome'],
  });
  const generationDuration = registry.histogram({
    name: 'modelwire_generation_duration_seconds',
    help: 'Time from when the request got a slot of the engine to the end of the reply.',
    labels: ['model', 'operation'],
    buckets: histogramBuckets.duration,
  });
  const queueWait = registry.histogram({
    name: 'modelwire_queue_wait_seconds',
    help: 'Time that requests waited for a slot of the engine.',
    labels: ['model'],
    buckets: histogramBuckets.duration,
  });
  const timeToFirstToken = registry.histogram({
    name: 'modelwire_time_to_first_token_seconds',
    help: 'Time from when the request got a slot of the engine to the first token of a streamed reply.',
    labels: ['model'],
    buckets: histogramBuckets.timeToFirstToken,
  });
  const timePerOutputToken = registry.histogram({
    name: 'modelwire_time_per_output_token_seconds',
    help: 'Mean time per token of a streamed reply after the first token.',
    labels: ['model'],
    buckets: histogramBuckets.timePerOutputToken,
  });
  const tokens = registry.counter({
    name: 'modelwire_tokens_total',
    help: 'Tokens: input, output, cached (part of input) and reasoning (part of output).',
    labels: ['model', 'type', ...project],
  });
  return {
    requests: registry.counter({
      name: 'modelwire_requests_total',
      help: 'Requests that have ended, except batch lines. code is empty unless there was an error.',
      labels: ['method', 'route', 'status', 'code', ...project],
    }),
    requestDuration: registry.histogram({
      name: 'modelwire_request_duration_seconds',
      help: 'Time from the start of a request to the end of its response, including streams.',
      labels: ['route'],
      buckets: histogramBuckets.duration,
    }),
    aborted: registry.counter({
      name: 'modelwire_requests_aborted_total',
      help: 'Requests whose client disconnected before the end.',
      labels: ['route'],
    }),
    streams: registry.counter({
      name: 'modelwire_streams_total',
      help: 'Streams that began, by outcome.',
      labels: ['route', 'outcome'],
    }),
    rateLimited: registry.counter({
      name: 'modelwire_rate_limited_total',
      help: 'Requests rejected by a limit of this server, by error code.',
      labels: ['code'],
    }),
    attempts: registry.counter({
      name: 'modelwire_upstream_attempts_total',
      help: 'Requests to upstreams, including retries, by outcome.',
      labels: ['upstream', 'outcome'],
    }),
    attemptFailures: registry.counter({
      name: 'modelwire_upstream_failures_total',
      help: 'Failed requests to upstreams, by reason.',
      labels: ['upstream', 'reason'],
    }),
    attemptDuration: registry.histogram({
      name: 'modelwire_upstream_attempt_duration_seconds',
      help: 'Time from sending a request to an upstream to the end of its reply.',
      labels: ['upstream'],
      buckets: histogramBuckets.duration,
    }),
    moderations: registry.counter({
      name: 'modelwire_moderation_decisions_total',
      help: 'Decisions of moderation models.',
      labels: ['model', 'of', 'decision'],
    }),
    toolCalls: registry.counter({
      name: 'modelwire_tool_calls_total',
      help: 'Tools that this server ran, such as web searches, by outcome.',
      labels: ['tool', 'outcome'],
    }),
    batchLines: registry.counter({
      name: 'modelwire_batch_lines_total',
      help: 'Batch lines with a result, by outcome.',
      labels: ['outcome'],
    }),
    batchLinesPending: registry.gauge({
      name: 'modelwire_batch_lines_pending',
      help: 'Lines without a result, of the batches that this server runs.',
    }),
    webhookAttempts: registry.counter({
      name: 'modelwire_webhook_attempts_total',
      help: 'Requests to webhooks, by event type and outcome: succeeded, retried (failed, and will be retried) or failed (not retried).',
      labels: ['event', 'outcome'],
    }),
    webhookDuration: registry.histogram({
      name: 'modelwire_webhook_attempt_duration_seconds',
      help: 'Duration of requests to webhooks.',
      labels: [],
      buckets: histogramBuckets.duration,
    }),
    budgetExceeded: registry.counter({
      name: 'modelwire_budget_exceeded_total',
      help: 'Requests that exceeded a limit of a budget: soft (served with a warning) or hard (rejected).',
      labels: ['limit', 'unit'],
    }),
    contentsCorrupted: registry.counter({
      name: 'modelwire_contents_corrupted_total',
      help: 'Stored contents that were read and are damaged: their SHA-256 is not the one with which they were stored.',
      labels: [],
    }),
    filesStored: registry.counter({
      name: 'modelwire_files_stored_total',
      help: 'Stored files. source is file (POST /v1/files) or upload (completed uploads).',
      labels: ['source'],
    }),
    fileBytes: registry.counter({
      name: 'modelwire_file_bytes_total',
      help: 'Size of stored files in bytes.',
      labels: ['source'],
    }),
    generation(model: string, operation: string, projectLabel: string | undefined): GenerationSeries {
      const tokensOf = (type: string): CounterSeries =>
        tokens.series(...(projectLabel === undefined ? [model, type] : [model, type, projectLabel]));
      return {
        completed: generations.series(model, operation, 'completed'),
        failed: generations.series(model, operation, 'failed'),
        aborted: generations.series(model, operation, 'aborted'),
        duration: generationDuration.series(model, operation),
        queueWait: queueWait.series(model),
        timeToFirstToken: timeToFirstToken.series(model),
        timePerOutputToken: timePerOutputToken.series(model),
        inputTokens: tokensOf('input'),
        outputTokens: tokensOf('output'),
        cachedTokens: tokensOf('cached'),
        reasoningTokens: tokensOf('reasoning'),
      };
    },
  };
}
