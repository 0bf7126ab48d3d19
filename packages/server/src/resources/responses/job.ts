import type { ResponseCreateParams, ResponseObject } from '@modelwire/schema/types';
import { parseExactJson } from '../../exact-json.ts';
import type { JobStore, Lease, ResponseRecord, ResponseStore, ResponseWork } from '@modelwire/ports';
import { noFiles, logError } from '../../call.ts';
import type { Call } from '../../call.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, toRequestError } from '../../errors.ts';
import { internalRequest } from '../../http/dispatch-internally.ts';
import { nowInSeconds } from '../../clock.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { observeJobRun } from '../../http/observe-job-run.ts';
import type { ObservedRun } from '../../http/observe-job-run.ts';
import { maxCrashes, loadSuspects } from '../../jobs/recovery.ts';
import { runUnit } from '../../jobs/quarantine.ts';
import { retryMaxMs } from '../../jobs/times.ts';
import { AtCapacityError } from '../../jobs/worker.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import { accessEndOf, watchAccess } from '../../limits/access-end.ts';
import type { AccessEnd } from '../../limits/access-end.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { unrefTimeout } from '../../timers.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import { EventSequence } from './event-sequence.ts';
import { conversationIdOf } from './history.ts';
import { prepareResponse } from './prepare-response.ts';
import { runResponse } from './run-response.ts';
import { conversationToExtend } from './store-turn.ts';

/** Attempts of a response that did not end, after which it fails. */
const maxAttempts = 50;
/** Seconds after its creation that a response waits for an engine without capacity. */
const maxWaitSeconds = 3600;
/** What happens to a response whose key was revoked or whose project was archived. */
const accessEndPrefix = 'The response was stopped';
const path = '/v1/responses';
/** The shortest delay before it is retried, in milliseconds. */
const minRetryMs = 2000;

interface ResponseJobsInit {
  readonly jobs: JobStore;
  /** One permit, for work that may have crashed a worker. */
  readonly quarantine: FairSemaphore;
}

/** A background response that this worker generates. */
interface Task {
  readonly responses: ResponseStore;
  readonly record: ResponseRecord;
  readonly work: ResponseWork;
  readonly lease: Lease;
}

/** Generates background responses. If a worker is killed, another one generates its responses again, and their streams continue. */
export function responseJobs(server: ServerContext, { jobs, quarantine }: ResponseJobsInit): JobHandler {
  return {
    concurrency: server.options.maxBackgroundResponses,
    canFinishOnStop: true,
    async run(lease, signal, setWaiting) {
      const { stores, report, jobTimes } = server.options;
      const responses = stores?.project(lease.project).responses;
      const record = await responses?.get(lease.id);
      if (!responses || !record?.work) return;
      const task: Task = { responses, record, work: record.work, lease };
      if (lease.attempt > maxAttempts) {
        await fail(
          task,
          jobFailure('too_many_attempts', 'The response was started too many times without completing.'),
        );
        return;
      }
      const principal = { keyId: record.work.keyId, project: lease.project };
      const accessEnd = await accessEndOf(server, principal, accessEndPrefix);
      if (accessEnd) {
        await fail(task, accessEnded(accessEnd));
        return;
      }
      const suspects = await loadSuspects({
        jobs,
        lease,
        runningAtCrash: () => (record.response.status === 'in_progress' ? [0] : []),
        isDone: () => false,
        report,
      });
      if ((suspects.crashesOf(0) ?? 0) >= maxCrashes) {
        const message = `The server crashed ${maxCrashes} times while it generated the response alone.`;
        await fail(task, jobFailure('worker_crashed', message));
        return;
      }
      const { project } = lease;
      await runUnit({ quarantine, suspects, times: jobTimes, project, signal, setWaiting }, { unit: 0 }, () =>
        generateResponse(task, signal, server),
      );
    },
  };
}

function generateResponse(task: Task, signal: AbortSignal, server: ServerContext): Promise<void> {
  const { lease, work } = task;
  const { project, id: response } = lease;
  return observeJobRun(server, { path, keyId: work.keyId, project, trace: work, response }, (run) =>
    generateFor(callOf(run, task), task, signal, server),
  );
}

async function generateFor(
  call: Call<ResponseCreateParams>,
  task: Task,
  signal: AbortSignal,
  server: ServerContext,
): Promise<void> {
  const { record, lease } = task;
  const abort = (reason: unknown): void => call.client.abort(reason);
  const onAbort = (): void => {
    const reason: unknown = signal.reason;
    const withinMs = reason instanceof JobAborted ? reason.withinMs : 0;
    if (withinMs > 0) unrefTimeout(withinMs, () => abort(reason));
    else abort(reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const cancelled = new AbortController();
  const deregister = server.backgroundResponses.register(lease.id, () => {
    cancelled.abort();
    abort(new JobAborted('lost'));
  });
  let accessEnd: RequestError | undefined;
  const stopWatching = watchAccess(server, call.principal, {
    what: accessEndPrefix,
    onEnd: (end) => abort((accessEnd = accessEnded(end))),
  });
  try {
    const log = await createEventLog({ ...task, onStored: () => server.backgroundResponses.notify(lease.id) });
    const outcome = await generatedResponse(call, log, record, server);
    await endResponse(task, outcome, log);
    server.backgroundResponses.notify(lease.id);
    if (call.logRecord.status === 0) call.logRecord.status = outcome.status === 'failed' ? 500 : 200;
  } catch (error) {
    // The response was cancelled or deleted together with its job.
    if (cancelled.signal.aborted) return;
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    stopWatching();
    deregister();
    const { reason } = call.client;
    // The end of access is a failure with an error of its own.
    if (reason !== undefined && reason !== accessEnd) call.logRecord.aborted = true;
  }
}

/** Generates the response. Resolves to the ended response. @throws errors after which the job is retried. */
async function generatedResponse(
  call: Call<ResponseCreateParams>,
  log: EventLog,
  { response, isStreamed }: ResponseRecord,
  server: ServerContext,
): Promise<ResponseObject> {
  let hasOutput = false;
  try {
    const prepared = await prepareResponse(call, server, { id: response.id, created_at: response.created_at });
    await log.begin({ ...response, status: 'in_progress' });
    if (log.isLost()) throw new JobAborted('lost');
    return await runResponse({
      prepared,
      call,
      server,
      ...(isStreamed && { write: log.add, firstSequenceNumber: log.nextSequence() }),
      afterEvents() {
        hasOutput = true;
        return log.flush();
      },
      mayThrow: () => !hasOutput || call.client.reason !== undefined || log.isLost(),
    });
  } catch (thrown) {
    const { reason } = call.client;
    if (reason instanceof JobAborted) throw reason;
    if (log.isLost()) throw new JobAborted('lost');
    const error = toRequestError(reason ?? thrown);
    call.logRecord.status = error.status;
    logError(call.logRecord, error);
    const waitedSeconds = nowInSeconds() - response.created_at;
    if (isTemporary(error) && waitedSeconds < maxWaitSeconds) {
      // As long as it has waited so far: the delay doubles, also when another server continues the job.
      const retryInMs = Math.min(retryMaxMs, Math.max(minRetryMs, waitedSeconds * 1000));
      call.logRecord.retryInMs = retryInMs;
      throw new AtCapacityError(retryInMs);
    }
    return failedResponse(response, error, log);
  }
}

/** No capacity, or an outage: another attempt may succeed. */
function isTemporary({ status }: RequestError): boolean {
  return status === 429 || status === 503 || status === 507;
}

function failedResponse(response: ResponseObject, error: RequestError, log: EventLog): ResponseObject {
  const { code, message, param, type } = error;
  const failed: ResponseObject = { ...response, status: 'failed', error: { code, message } };
  const details = { code, message, param };
  const events = new EventSequence(log.add, log.nextSequence());
  events.emit({ type: 'error', ...details, error: { type, ...details } });
  events.emit({ type: 'response.failed', response: failed });
  return failed;
}

async function endResponse({ responses, lease, work }: Task, response: ResponseObject, log: EventLog): Promise<void> {
  const request = requestOf(work);
  const conversation = conversationToExtend({ response, conversation: conversationIdOf(request) });
  if (!(await responses.end(response, { lease, events: await log.rest(), conversation }))) throw new JobAborted('lost');
}

/** Fails a response without a retry. */
async function fail(task: Task, error: RequestError): Promise<void> {
  const log = await createEventLog({ ...task, onStored: () => undefined });
  await endResponse(task, failedResponse(task.record.response, error, log), log);
}

function jobFailure(code: string, message: string): RequestError {
  return new RequestError(message, { status: 500, code });
}

/** A request with the key would be refused, so the response fails and is not retried. */
function accessEnded({ code, message }: AccessEnd): RequestError {
  return new RequestError(message, { status: 403, code });
}

function requestOf({ request }: ResponseWork): ResponseCreateParams {
  // What `createBackgroundResponse` stored.
  return parseExactJson(request) as ResponseCreateParams;
}

/** The request as it was accepted, with a client that never disconnects. */
function callOf(run: ObservedRun, { lease: { project }, work }: Task): Call<ResponseCreateParams> {
  return {
    ...run,
    method: 'POST',
    principal: { keyId: work.keyId, project },
    params: {},
    query: {},
    body: requestOf(work),
    files: noFiles,
    client: new ClientConnection(),
    responseHeaders: {},
    request: { ...internalRequest, url: path },
    header: internalRequest.header,
  };
}
