import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { histogramBuckets } from './histogram-buckets.ts';

export type ServerMetrics = ReturnType<typeof createServerMetrics>;

/** Creates all metrics that are updated while requests are handled. docs/operations/monitoring.md lists them. */
export function createServerMetrics(
  registry: Registry,
  { includeProjectLabel }: { readonly includeProjectLabel: boolean },
) {
  const registers = [registry];
  const project = includeProjectLabel ? (['project'] as const) : [];
  return {
    generations: new Counter({
      name: 'modelwire_generations_total',
      help: 'Generations, by outcome: completed, failed or aborted (the client disconnected).',
      labelNames: ['model', 'operation', 'outcome'],
      registers,
    }),
    generationDuration: new Histogram({
      name: 'modelwire_generation_duration_seconds',
      help: 'Time from when the request got a slot of the engine to the end of the reply.',
      labelNames: ['model', 'operation'],
      buckets: histogramBuckets.duration,
      registers,
    }),
    queueWait: new Histogram({
      name: 'modelwire_queue_wait_seconds',
      help: 'Time that requests waited for a slot of the engine.',
      labelNames: ['model'],
      buckets: histogramBuckets.duration,
      registers,
    }),
    timeToFirstToken: new Histogram({
      name: 'modelwire_time_to_first_token_seconds',
      help: 'Time from when the request got a slot of the engine to the first token of a streamed reply.',
      labelNames: ['model'],
      buckets: histogramBuckets.timeToFirstToken,
      registers,
    }),
    timePerOutputToken: new Histogram({
      name: 'modelwire_time_per_output_token_seconds',
      help: 'Mean time per token of a streamed reply after the first token.',
      labelNames: ['model'],
      buckets: histogramBuckets.timePerOutputToken,
      registers,
    }),
    tokens: new Counter({
      name: 'modelwire_tokens_total',
      help: 'Tokens: input, output, cached (part of input) and reasoning (part of output).',
      labelNames: ['model', 'type', ...project],
      registers,
    }),
    requests: new Counter({
      name: 'modelwire_requests_total',
      help: 'Requests that have ended, except batch lines. code is empty unless there was an error.',
      labelNames: ['method', 'route', 'status', 'code', ...project],
      registers,
    }),
    requestDuration: new Histogram({
      name: 'modelwire_request_duration_seconds',
      help: 'Time from the start of a request to the end of its response, including streams.',
      labelNames: ['route'],
      buckets: histogramBuckets.duration,
      registers,
    }),
    aborted: new Counter({
      name: 'modelwire_requests_aborted_total',
      help: 'Requests whose client disconnected before the end.',
      labelNames: ['route'],
      registers,
    }),
    streams: new Counter({
      name: 'modelwire_streams_total',
      help: 'Streams that began, by outcome.',
      labelNames: ['route', 'outcome'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'modelwire_rate_limited_total',
      help: 'Requests rejected by a limit of this server, by error code.',
      labelNames: ['code'],
      registers,
    }),
    attempts: new Counter({
      name: 'modelwire_upstream_attempts_total',
      help: 'Requests to upstreams, including retries, by outcome.',
      labelNames: ['upstream', 'outcome'],
      registers,
    }),
    attemptFailures: new Counter({
      name: 'modelwire_upstream_failures_total',
      help: 'Failed requests to upstreams, by reason.',
      labelNames: ['upstream', 'reason'],
      registers,
    }),
    attemptDuration: new Histogram({
      name: 'modelwire_upstream_attempt_duration_seconds',
      help: 'Time from sending a request to an upstream to the end of its reply.',
      labelNames: ['upstream'],
      buckets: histogramBuckets.duration,
      registers,
    }),
    promptTokens: new Counter({
      name: 'modelwire_upstream_prompt_tokens_total',
      help: 'Tokens of the prompts of generations at the upstream that replied, and those of them that it had cached.',
      labelNames: ['upstream', 'type'],
      registers,
    }),
    moderations: new Counter({
      name: 'modelwire_moderation_decisions_total',
      help: 'Decisions of moderation models.',
      labelNames: ['model', 'of', 'decision'],
      registers,
    }),
    toolCalls: new Counter({
      name: 'modelwire_tool_calls_total',
      help: 'Tools that this server ran, such as web searches, by outcome.',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
    outputSteps: new Counter({
      name: 'modelwire_output_steps_total',
      help: 'Texts and tool calls of replies that did not match their schema or grammar, by how they came to match it, or that they did not.',
      labelNames: ['model', 'step'],
      registers,
    }),
    batchLines: new Counter({
      name: 'modelwire_batch_lines_total',
      help: 'Batch lines with a result, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    batchLinesPending: new Gauge({
      name: 'modelwire_batch_lines_pending',
      help: 'Lines without a result, of the batches that this server runs.',
      registers,
    }),
    batchesLate: new Gauge({
      name: 'modelwire_batches_late',
      help: 'Batches that this server runs and that expire before their lines have ended at the present rate.',
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'modelwire_webhook_attempts_total',
      help: 'Requests to webhooks, by event type and outcome: succeeded, retried (failed, and will be retried) or failed (not retried).',
      labelNames: ['event', 'outcome'],
      registers,
    }),
    webhookDuration: new Histogram({
      name: 'modelwire_webhook_attempt_duration_seconds',
      help: 'Duration of requests to webhooks.',
      buckets: histogramBuckets.duration,
      registers,
    }),
    batchApiCalls: new Counter({
      name: 'modelwire_upstream_batch_api_calls_total',
      help: 'Calls of the batch APIs of upstreams, by operation and outcome: succeeded, failed or aborted.',
      labelNames: ['upstream', 'operation', 'outcome'],
      registers,
    }),
    batchApiDuration: new Histogram({
      name: 'modelwire_upstream_batch_api_call_duration_seconds',
      help: 'Duration of calls of the batch APIs of upstreams.',
      labelNames: ['upstream', 'operation'],
      buckets: histogramBuckets.duration,
      registers,
    }),
    budgetExceeded: new Counter({
      name: 'modelwire_budget_exceeded_total',
      help: 'Requests that exceeded a limit of a budget: soft (served with a warning) or hard (rejected).',
      labelNames: ['limit', 'unit'],
      registers,
    }),
    contentsCorrupted: new Counter({
      name: 'modelwire_contents_corrupted_total',
      help: 'Stored contents that were read and are damaged: their SHA-256 is not the one with which they were stored.',
      registers,
    }),
    filesStored: new Counter({
      name: 'modelwire_files_stored_total',
      help: 'Stored files. source is file (POST /v1/files) or upload (completed uploads).',
      labelNames: ['source'],
      registers,
    }),
    fileBytes: new Counter({
      name: 'modelwire_file_bytes_total',
      help: 'Size of stored files in bytes.',
      labelNames: ['source'],
      registers,
    }),
  };
}
