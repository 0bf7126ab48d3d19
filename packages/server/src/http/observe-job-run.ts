import { stringifyJson } from '@modelwire/adapter-kit/internal';
import type { RequestTrace, StoredRequest } from '@modelwire/ports';
import { logError } from '../call.ts';
import type { Call, LogRecord } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { endObservation, writeLogRecord } from './pipeline.ts';
import { RequestError, toRequestError } from '../errors.ts';
import { JobAborted } from '../jobs/job-aborted.ts';

/** A run of the job of a video. */
interface JobRun {
  /** Path of the `POST` endpoint for which the run is observed: `/v1/videos` for a remix too. */
  readonly path: string;
  readonly keyId: string | undefined;
  readonly project: string;
  readonly trace: RequestTrace;
  readonly video: string;
  /** Aborts the run. */
  readonly signal: AbortSignal;
}

export type ObservedRun = Pick<Call, 'requestId' | 'logRecord' | 'observation'>;

/** The trace of a request, to store with the job that it creates. */
export function requestTrace({ observation, logRecord }: Pick<Call, 'observation' | 'logRecord'>): RequestTrace {
  return { traceHeaders: observation?.traceHeaders?.(), traceId: logRecord.traceId };
}

/** The request, to send it again. */
export async function storedRequestOf(call: Call<unknown>, body: unknown): Promise<StoredRequest> {
  return { keyId: call.principal.keyId, request: await stringifyJson(body), ...requestTrace(call) };
}

/**
 * Runs a job as an observed part of the trace of its request, and writes a log line of the run. `run` sets its status in the log record, and its
 * error where the log should say more than what it throws or is aborted with.
 */
export async function observeJobRun(
  server: ServerContext,
  { path, keyId, project, trace, video, signal }: JobRun,
  run: (observed: ObservedRun) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const method = 'POST';
  const observation = server.options.observer?.startRequest({
    method,
    url: path,
    route: path,
    startedAt,
    header: (name) => trace.traceHeaders?.[name] ?? null,
    videoId: video,
  });
  const requestId = server.createId('req_');
  const logRecord: LogRecord = {
    requestId,
    method,
    route: path,
    status: 0,
    durationMs: 0,
    traceId: observation?.traceId ?? trace.traceId,
    keyId,
    project,
    video,
  };
  const observed = { requestId, logRecord, observation };
  try {
    await (observation?.run ? observation.run(() => run(observed)) : run(observed));
  } catch (error) {
    if (!signal.aborted) logFailure(logRecord, error, signal);
    throw error;
  } finally {
    if (signal.aborted) logFailure(logRecord, signal.reason, signal);
    logRecord.durationMs = performance.now() - startedAt;
    endObservation(observed, server);
    writeLogRecord(logRecord, server.options);
  }
}

/** Removal, a lost lease and a server that stops are not failures; the end of access is one. */
function logFailure(logRecord: LogRecord, reason: unknown, { aborted }: AbortSignal): void {
  if (logRecord.status !== 0) return;
  if (reason instanceof JobAborted || (aborted && !(reason instanceof RequestError))) {
    logRecord.aborted = true;
    return;
  }
  const error = toRequestError(reason);
  logRecord.status = error.status;
  logError(logRecord, error);
}
