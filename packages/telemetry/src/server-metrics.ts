import { buckets } from './buckets.ts';
import type { CounterSeries } from './counter.ts';
import type { HistogramSeries } from './histogram.ts';
import type { Registry } from './registry.ts';

/** The series of the generations of a model, kept together: they are updated together. */
export interface GenerationSeries {
  readonly completed: CounterSeries;
  readonly failed: CounterSeries;
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

/** Every metric that is updated while requests are handled. docs/operations/monitoring.md lists them. */
export function createServerMetrics(registry: Registry, { projects }: { readonly projects: boolean }) {
  const project = projects ? (['project'] as const) : [];
  const generations = registry.counter({
    name: 'modelwire_generations_total',
    help: 'Generations of models, by outcome.',
    labels: ['model', 'operation', 'outcome'],
  });
  const generationDuration = registry.histogram({
    name: 'modelwire_generation_duration_seconds',
    help: 'Time from the slot at the engine to the end of the reply.',
    labels: ['model', 'operation'],
    buckets: buckets.duration,
  });
  const queueWait = registry.histogram({
    name: 'modelwire_queue_wait_seconds',
    help: 'Time that requests waited for a slot at the engine.',
    labels: ['model'],
    buckets: buckets.duration,
  });
  const timeToFirstToken = registry.histogram({
    name: 'modelwire_time_to_first_token_seconds',
    help: 'Time from the slot at the engine to the first token of a streamed reply.',
    labels: ['model'],
    buckets: buckets.timeToFirstToken,
  });
  const timePerOutputToken = registry.histogram({
    name: 'modelwire_time_per_output_token_seconds',
    help: 'Mean time per token after the first one of a streamed reply.',
    labels: ['model'],
    buckets: buckets.timePerOutputToken,
  });
  const tokens = registry.counter({
    name: 'modelwire_tokens_total',
    help: 'Tokens: input, output, cached (part of input) and reasoning (part of output).',
    labels: ['model', 'type', ...project],
  });
  return {
    requests: registry.counter({
      name: 'modelwire_requests_total',
      help: 'Requests that have ended, without those for batch lines. code is empty unless there was an error.',
      labels: ['method', 'route', 'status', 'code', ...project],
    }),
    requestDuration: registry.histogram({
      name: 'modelwire_request_duration_seconds',
      help: 'Time from the start of a request to the end of its response, streams included.',
      labels: ['route'],
      buckets: buckets.duration,
    }),
    aborted: registry.counter({
      name: 'modelwire_requests_aborted_total',
      help: 'Requests whose client disconnected before the end.',
      labels: ['route'],
    }),
    streams: registry.counter({
      name: 'modelwire_streams_total',
      help: 'Streamed responses, by outcome.',
      labels: ['route', 'outcome'],
    }),
    rateLimited: registry.counter({
      name: 'modelwire_rate_limited_total',
      help: 'Requests refused by a limit of this server, by error code.',
      labels: ['code'],
    }),
    attempts: registry.counter({
      name: 'modelwire_upstream_attempts_total',
      help: 'Requests to upstreams, retries included, by outcome.',
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
      buckets: buckets.duration,
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
      help: 'Requests to webhooks by type of event and outcome: succeeded, retried (failed, another follows) or failed (given up).',
      labels: ['event', 'outcome'],
    }),
    webhookDuration: registry.histogram({
      name: 'modelwire_webhook_attempt_duration_seconds',
      help: 'Time of a request to a webhook.',
      labels: [],
      buckets: buckets.duration,
    }),
    budgetExceeded: registry.counter({
      name: 'modelwire_budget_exceeded_total',
      help: 'Requests that exceeded a limit of a budget: soft (served with a warning) or hard (refused).',
      labels: ['limit', 'unit'],
    }),
    filesStored: registry.counter({
      name: 'modelwire_files_stored_total',
      help: 'Files that were stored: source is file (POST /v1/files) or upload (completed uploads).',
      labels: ['source'],
    }),
    fileBytes: registry.counter({
      name: 'modelwire_file_bytes_total',
      help: 'Bytes of files that were stored.',
      labels: ['source'],
    }),
    generation(model: string, operation: string, projectLabel: string | undefined): GenerationSeries {
      const tokensOf = (type: string): CounterSeries =>
        tokens.series(...(projectLabel === undefined ? [model, type] : [model, type, projectLabel]));
      return {
        completed: generations.series(model, operation, 'completed'),
        failed: generations.series(model, operation, 'failed'),
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
