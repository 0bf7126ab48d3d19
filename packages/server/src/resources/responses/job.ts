import type { ResponseObject } from '@modelwire/schema/types';
import { parseExactJsonInSlices } from '../../json/exact-json.ts';
import type { Lease, Principal, ResponseRecord, ResponseStore, StoredRequest, Stores } from '@modelwire/ports';
import type { BackgroundRun } from '../../call.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import { internalDispatchOf } from '../../http/internal-request.ts';
import type { ServerContext } from '../../context.ts';
import type { RequestError } from '../../errors.ts';
import { nowInSeconds } from '../../clock.ts';
import { guardedJob, neverRemoved, occupiesNothing, unobserved } from '../../jobs/guarded-job.ts';
import type { GuardContext, GuardedJob, JobGuard } from '../../jobs/guarded-job.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import { retryMaxMs } from '../../jobs/times.ts';
import { AtCapacityError } from '../../jobs/worker.ts';
import type { JobHandler } from '../../jobs/worker.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import { EventSequence, emitFailure } from './event-sequence.ts';
import { conversationToExtend } from './store-turn.ts';

/** Attempts of a response that did not end, after which it fails. */
const maxAttempts = 50;
/** Seconds after its creation that a response waits for an engine without capacity. */
const maxWaitSeconds = 3600;
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
  readonly work: StoredRequest;
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
    async run(lease, signal, setWaiting) {
      const { responses, eventStreams } = stores.project(lease.project);
      const record = await responses.get(lease.id);
      if (!record?.work) return;
      const onStored = (): void => server.openStreams.notify(lease.id);
      const log = await createEventLog({ responses, eventStreams, record, lease, onStored });
      const job = generationJob({ server, responses, record, work: record.work, lease, log });
      await guardedJob(context, { lease, signal, setWaiting }, job);
    },
  };
}

function generationJob(task: Task): GuardedJob<undefined> {
  const { record, log } = task;
  return {
    access: { principal: principalOf(task), what: 'The response was stopped', onEnd: 'abort' },
    attempts: { max: maxAttempts, subject: 'The response' },
    units: {
      runningAtCrash: () => (record.response.status === 'in_progress' ? [unit] : []),
      isDone: () => false,
      isolation: { first: unit, crashMessage },
    },
    acquire: occupiesNothing,
    // The request that generates the response is observed.
    observe: unobserved,
    onStop: 'finish',
    removal: neverRemoved,
    run: (guard) => generate(task, guard),
    fail: (error) => end(task, failedResponse(record.response, error, log)),
  };
}

/** Sends the request again as it was accepted. @throws errors after which the job is retried, and the reason of an abort. */
async function generate(task: Task, { signal }: JobGuard<undefined>): Promise<void> {
  const { server, record, work, lease, log } = task;
  const { response, isStreamed } = record;
  const { id, created_at } = response;
  const dispatch = internalDispatchOf(server, '/v1/responses');
  const client = new ClientConnection();
  const onAbort = (): void => client.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const background: BackgroundRun = {
    ...log,
    id,
    created_at,
    isStreamed,
    begin: () => log.begin({ ...response, status: 'in_progress' }),
    end: (ended) => end(task, ended),
  };
  const { error, retryInMs } = await dispatch({
    from: { principal: principalOf(task), trace: work },
    body: () => parseExactJsonInSlices(work.request),
    client,
    background,
    logRecord: { response: lease.id },
    retryDelayOf: (failure) => retryDelayMs(failure, nowInSeconds(server.clock) - created_at),
  }).catch((thrown: unknown) => {
    signal.throwIfAborted();
    throw thrown;
  });
  if (log.isLost()) throw new JobAborted('lost');
  if (retryInMs !== undefined) throw new AtCapacityError(retryInMs);
  if (error) await end(task, failedResponse(response, error, log));
}

function principalOf({ work: { keyId }, lease: { project } }: Pick<Task, 'work' | 'lease'>): Principal {
  return { keyId, project };
}

/** Without capacity, or in an outage, another attempt may succeed. Undefined if the response has failed. */
function retryDelayMs({ status }: RequestError, waitedSeconds: number): number | undefined {
  const isTemporary = status === 429 || status === 503 || status === 507;
  if (!isTemporary || waitedSeconds >= maxWaitSeconds) return undefined;
  // As long as it has waited so far: the delay doubles, also when another server continues the job.
  return Math.min(retryMaxMs, Math.max(minRetryMs, waitedSeconds * 1000));
}

function failedResponse(response: ResponseObject, error: RequestError, log: EventLog): ResponseObject {
  const { code, message } = error;
  const failed: ResponseObject = { ...response, status: 'failed', error: { code, message } };
  emitFailure(new EventSequence(log.add, log.nextSequence()), failed, error);
  return failed;
}

async function end({ server, responses, lease, log }: Task, response: ResponseObject): Promise<void> {
  const conversation = conversationToExtend({ response, conversation: response.conversation?.id });
  if (!(await responses.end(response, { lease, segment: await log.rest(), conversation })))
    throw new JobAborted('lost');
  server.openStreams.notify(lease.id);
}
