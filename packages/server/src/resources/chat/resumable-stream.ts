import { isStorageUnavailable } from '@modelwire/ports';
import type { EventSegment, StreamFailure } from '@modelwire/ports';
import { logError } from '../../call.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { failureOf, streamAbandoned, streamCancelled, streamInterrupted, toRequestError } from '../../errors.ts';
import type { StreamOutcome } from '../../event-streams/open-streams.ts';
import { createStreamWriter } from '../../event-streams/stream-writer.ts';
import { canContinue } from '../../generation/continue-reply.ts';
import type { Generation } from '../../generation/generate.ts';
import { storedRequestOf } from '../../http/observe-job-run.ts';
import { keepLease } from '../../jobs/keep-lease.ts';
import type { RequestError } from '../../errors.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import { projectStores } from '../../media/files/storage.ts';
import { replyWithStream } from '../../streaming/completion-stream.ts';
import type { ChunkSink, StreamedReply } from '../../streaming/event-pipe.ts';
import { sleep, unrefTimeout } from '../../timers.ts';

/** Events are stored in segments of at most this duration. */
const maxSegmentMs = 200;

/** What generates the chunks of a resumable stream. */
export interface ResumableGeneration<Body> {
  /** The call, whose client is the server: it stays connected when the client of the request leaves. */
  readonly call: Call<Body>;
  /** ID of the completion. */
  readonly id: string;
  readonly sink: ChunkSink;
  /** Stores that the stream exists. Call it when the request was admitted, before anything is written. */
  readonly begin: (generation: Generation) => Promise<void>;
}

/**
 * Generates a stream that belongs to the server: its events are stored, and the client of the request is one of any number of readers, which can
 * leave and come back. It is stopped when it had no reader for too long, and when a client deletes it.
 */
export async function streamResumable<Body>(
  call: Call<Body>,
  server: ServerContext,
  produce: (generation: ResumableGeneration<Body>) => Promise<void>,
): Promise<StreamedReply> {
  const id = call.lostStream?.id ?? call.claimedStream?.id ?? server.createId('chatcmpl-');
  const generated = new ResumableStream(call, server, id).run(produce);
  if (call.lostStream) {
    // Its readers are connected already.
    await generated;
    return { status: 200, events: '' };
  }
  const reply = await replyWithStream({ id, after: undefined }, call, server);
  if (!('done' in reply)) return reply;
  // The request ends with its generation.
  return { ...reply, done: Promise.all([reply.done, generated]).then(([failure]) => failure) };
}

class ResumableStream<Body> {
  readonly #call: Call<Body>;
  readonly #server: ServerContext;
  readonly #id: string;
  /** Aborted when the generation has to stop. */
  readonly #client = new ClientConnection();
  readonly #writer;
  #outcome: StreamOutcome | undefined;
  #exists: boolean;
  #readers = 0;
  #tokens = (): number => 0;
  #tokensWhenDetached = 0;
  #clearDetachTimer: (() => void) | undefined;

  constructor(call: Call<Body>, server: ServerContext, id: string) {
    this.#call = call;
    this.#server = server;
    this.#id = id;
    this.#exists = (call.lostStream ?? call.claimedStream) !== undefined;
    this.#writer = createStreamWriter({
      first: call.lostStream?.next ?? 0,
      maxDelayMs: maxSegmentMs,
      store: (segment) => this.#store(segment),
    });
  }

  /** Resolves when the stream has ended. Never rejects. */
  async run(produce: (generation: ResumableGeneration<Body>) => Promise<void>): Promise<void> {
    const { inFlight, openStreams, runningJobs, options } = this.#server;
    const endInFlight = inFlight.register(this.#client);
    const deregister = runningJobs.register(this.#id, () => this.#client.abort(streamCancelled()));
    const remove = openStreams.add(
      this.#id,
      {
        since: (after) => this.#writer.since(after),
        outcome: () => this.#outcome,
      },
      (count) => this.#onReaders(count),
    );
    const lease = keepLease({
      renew: () => (this.#exists ? this.#streams.renew(this.#id, this.#times, this.#role) : Promise.resolve(true)),
      what: 'a stream',
      claimedAt: performance.now(),
      times: options.jobTimes,
      onLost: () => this.#client.abort(streamInterrupted()),
      report: options.report,
    });
    try {
      await produce({
        call: { ...this.#call, client: this.#client },
        id: this.#id,
        sink: this.#sink(),
        begin: (generation) => this.#begin(generation),
      });
      if (this.#client.reason !== undefined) throw this.#client.reason as Error;
      await this.#end({ status: 'ended' });
    } catch (thrown) {
      await this.#fail(toRequestError(this.#client.reason ?? thrown));
    } finally {
      lease.stop();
      this.#clearDetachTimer?.();
      openStreams.notify(this.#id);
      remove();
      deregister();
      endInFlight();
    }
  }

  async #begin(generation: Generation): Promise<void> {
    const { accountant, body } = generation;
    this.#tokens = () => accountant.current.completion_tokens;
    if (!this.#exists) await this.#streams.create(this.#id, this.#times);
    this.#exists = true;
    // A reply is continued once: its request may be what its servers die of.
    const isContinuable = this.#server.options.resumableStreams.continueLost && !this.#call.lostStream;
    if (isContinuable && canContinue(generation))
      await this.#streams.storeRequest(this.#id, await storedRequestOf(this.#call, body));
  }

  #sink(): ChunkSink {
    const writer = this.#writer;
    const client = this.#client;
    return {
      write: (...pieces) => this.#write(pieces.join('')),
      get isFull() {
        return writer.isFull;
      },
      get isClosed() {
        return writer.isLost || client.reason !== undefined;
      },
      drained: () => writer.drained(),
    };
  }

  /** @param event In its wire format. */
  #write(event: string): void {
    this.#writer.add(event.slice('data: '.length, -'\n\n'.length));
    this.#server.openStreams.notify(this.#id);
    const { maxDetachedTokens } = this.#server.options.resumableStreams;
    if (maxDetachedTokens === undefined || this.#readers > 0) return;
    if (this.#tokens() - this.#tokensWhenDetached <= maxDetachedTokens) return;
    this.#tokensWhenDetached = Infinity;
    void this.#abandonUnlessRead();
  }

  /** Repeats what the storage could not do in an outage, as long as this server holds the lease. */
  async #store(segment: EventSegment): Promise<boolean> {
    const { jobTimes, report } = this.#server.options;
    for (;;) {
      try {
        const isStored = await this.#streams.append(this.#id, segment, this.#role);
        if (!isStored) this.#client.abort(await this.#loss());
        return isStored;
      } catch (error) {
        if (!isStorageUnavailable(error) || this.#client.reason !== undefined) throw error;
        report('events of a stream were not stored, it will be retried', error);
        await sleep(jobTimes.retryMs, this.#client.signal);
      }
    }
  }

  async #end(outcome: StreamOutcome): Promise<void> {
    const failure = outcome.status === 'failed' ? outcome.failure : undefined;
    const { resumableStreams, idempotency } = this.#server.options;
    // Whether a stream that is continued has a key is not known.
    const isKeyed = (this.#call.lostStream ?? this.#call.claimedStream) !== undefined;
    const keepMs = Math.max(resumableStreams.keepMs, isKeyed && !failure ? idempotency.retentionMs : 0);
    const segment = await this.#writer.rest();
    if (!(await this.#streams.end(this.#id, { segment, failure, keepMs }, this.#role))) throw await this.#loss();
    this.#outcome = outcome;
  }

  /** Why the stream could not be ended. */
  async #loss(): Promise<RequestError> {
    const { completions, eventStreams } = projectStores(this.#call, this.#server);
    if (await eventStreams.read(this.#id, { after: 0, limit: 1 })) return streamInterrupted();
    // It was deleted through another server while the completion was being stored.
    await completions.delete(this.#id);
    return streamCancelled();
  }

  /** Ends the stream with an error. Without an event, it is as if the stream had never been: the request may be sent again. */
  async #fail(error: RequestError): Promise<void> {
    const { claimedStream, lostStream, logRecord } = this.#call;
    const { report } = this.#server.options;
    logError(logRecord, error);
    const outcome = { status: 'failed', failure: failureOf(error) } as const;
    try {
      if (isStorageUnavailable(error.cause)) await this.#holdKey(outcome.failure);
      else if (this.#writer.next > 0 || lostStream) await this.#end(outcome);
      else if (claimedStream) await claimedStream.release();
      else if (this.#exists) await this.#streams.delete(this.#id);
    } catch (thrown) {
      // Its lease expires, and readers elsewhere end it.
      if (this.#client.reason === undefined) report('the failure of a stream was not stored', thrown);
    }
    this.#outcome ??= outcome;
  }

  /** Whether the request had an effect is unknown: its key can be used again as late as that of any other request. */
  async #holdKey(failure: StreamFailure): Promise<void> {
    const { resumableStreams, idempotency } = this.#server.options;
    const { keepMs } = resumableStreams;
    const segment = await this.#writer.rest();
    await this.#streams.end(this.#id, { segment, failure, keepMs, holdKeyMs: idempotency.claimTtlMs }, this.#role);
  }

  #onReaders(count: number): void {
    if (count > 0 === this.#readers > 0) return;
    this.#readers = count;
    this.#clearDetachTimer?.();
    this.#clearDetachTimer = undefined;
    if (count > 0) return;
    this.#tokensWhenDetached = this.#tokens();
    this.#scheduleAbandoning(this.#server.options.resumableStreams.maxDetachedMs);
  }

  #scheduleAbandoning(ms: number): void {
    this.#clearDetachTimer = unrefTimeout(ms, () => void this.#abandonUnlessRead());
  }

  /** Stops the generation, unless another server has had a reader since. */
  async #abandonUnlessRead(): Promise<void> {
    const { maxDetachedMs } = this.#server.options.resumableStreams;
    const page = await this.#streams.read(this.#id, { after: this.#writer.next, limit: 1 }).catch(() => undefined);
    if (this.#readers > 0) return;
    const remainingMs = maxDetachedMs - (page?.followedMsAgo ?? Infinity);
    if (remainingMs <= 0) this.#client.abort(streamAbandoned());
    else {
      this.#tokensWhenDetached = this.#tokens();
      this.#scheduleAbandoning(remainingMs);
    }
  }

  get #role() {
    return this.#call.lostStream ? 'successor' : 'creator';
  }

  get #streams() {
    return projectStores(this.#call, this.#server).eventStreams;
  }

  get #times() {
    const { jobTimes, resumableStreams } = this.#server.options;
    return { leaseMs: jobTimes.leaseMs, keepMs: resumableStreams.keepMs };
  }
}
