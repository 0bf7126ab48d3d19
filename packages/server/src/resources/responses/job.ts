import type { ResponseCreateParams, ResponseObject } from '@modelwire/schema/types';
import { parseExactJson } from '../../exact-json.ts';
import type { Lease, ResponseRecord, ResponseStore, ResponseWork, Stores } from '@modelwire/ports';
import { noFiles, logError } from '../../call.ts';
import type { Call } from '../../call.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import type { ServerContext } from '../../context.ts';
import type { RequestError } from '../../errors.ts';
import { toRequestError } from '../../errors.ts';
import { withoutHttpBody } from '../../http/internal-request.ts';
import { nowInSeconds } from '../../clock.ts';
import { guardedJob, unlimited } from '../../jobs/guarded-job.ts';
import type { GuardContext, GuardedJob, JobGuard } from '../../jobs/guarded-job.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { observeJobRun } from '../../http/observe-job-run.ts';
import type { ObservedRun } from '../../http/observe-job-run.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import { retryMaxMs } from '../../jobs/times.ts';
import { AtCapacityError } from '../../jobs/worker.ts';
import type { JobHandler } from '../../jobs/worker.ts';
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
const path = '/v1/responses';
/** The shortest delay before it is retried, in milliseconds. */
const minRetryMs = 2000;
/** A response is one unit of work: nothing of what was generated before a crash is used again. */
const unit = 0;
const crashMessage = () => `The server crashed ${maxCrashes} times while it generated the response alone.`;

/** A background response that this worker generates. */
interface Task {
  readonly server: ServerContext;
  readonly responses: ResponseStore;
  readonly record: ResponseRecord;
  readonly work: ResponseWork;
  readonly lease: Lease;
  readonly log: EventLog;
}

/** Generates background responses. If a worker is killed, another one generates its responses again, and their streams continue. */
export function responseJobs(
  context: GuardContext & { readonly server: ServerContext; readonly stores: Stores },
): JobHandler {
  const { server, stores } = context;
  return {
    concurrency: server.options.maxBackgroundResponses,
    canFinishOnStop: true,
    async run(lease, signal, setWaiting) {
      const { responses } = stores.project(lease.project);
      const record = await responses.get(lease.id);
      if (!record?.work) return;
      const onStored = (): void => server.responseEvents.notify(lease.id);
      const log = await createEventLog({ responses, record, lease, onStored });
      const job = generationJob({ server, responses, record, work: record.work, lease, log });
      await guardedJob(context, { lease, signal, setWaiting }, job);
    },
  };
}

function generationJob(task: Task): GuardedJob<ObservedRun> {
  const { server, record, work, lease, log } = task;
  const { project, id: response } = lease;
  return {
    access: { principal: { keyId: work.keyId, project }, what: 'The response was stopped', onEnd: 'abort' },
    attempts: { max: maxAttempts, subject: 'The response' },
    units: {
      runningAtCrash: () => (record.response.status === 'in_progress' ? [unit] : []),
      isDone: () => false,
      isolation: { first: unit, crashMessage },
    },
    acquire: unlimited,
    observe: (signal, run) =>
      observeJobRun(server, { path, keyId: work.keyId, project, trace: work, response, signal }, run),
    onStop: 'finish',
    removal: { reason: new JobAborted('lost'), isCause: () => Promise.resolve(false) },
    run: (guard) => generate(task, guard),
    fail: (error) => end(task, failedResponse(record.response, error, log)),
  };
}

async function generate(task: Task, { signal, observed }: JobGuard<ObservedRun>): Promise<void> {
  const call = callOf(observed, task);
  const onAbort = (): void => call.client.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const outcome = await generatedResponse(call, task);
  await end(task, outcome);
  if (call.logRecord.status === 0) call.logRecord.status = outcome.status === 'failed' ? 500 : 200;
}

/** Generates the response. Resolves to the ended response. @throws errors after which the job is retried, and the reason of an abort. */
async function generatedResponse(
  call: Call<ResponseCreateParams>,
  { server, log, record: { response, isStreamed } }: Task,
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
    call.client.signal.throwIfAborted();
    if (log.isLost()) throw new JobAborted('lost');
    const error = toRequestError(thrown);
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

async function end({ server, responses, lease, work, log }: Task, response: ResponseObject): Promise<void> {
  const conversation = conversationToExtend({ response, conversation: conversationIdOf(requestOf(work)) });
  if (!(await responses.end(response, { lease, events: await log.rest(), conversation }))) throw new JobAborted('lost');
  server.responseEvents.notify(lease.id);
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
    request: { ...withoutHttpBody, url: path, headers: () => [] },
    header: () => null,
  };
}
