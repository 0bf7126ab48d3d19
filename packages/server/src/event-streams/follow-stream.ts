import type { EventSegment, EventStreamStore } from '@modelwire/ports';
import { unrefTimeout } from '../timers.ts';
import type { LocalStream, OpenStreams, StreamOutcome } from './open-streams.ts';

/** How many stored segments are read at a time. */
const pageSize = 16;
/** How often a stream that another server writes is polled. */
const pollMs = 500;

interface FollowInit {
  readonly id: string;
  /** Position of the last event that the reader has; -1 for none. */
  readonly after: number;
  readonly store: EventStreamStore;
  readonly openStreams: OpenStreams;
  /** Aborts when the reader has disconnected. */
  readonly signal: AbortSignal;
  /** Receives the events in order, each once. Reading continues when it resolves. */
  readonly onEvents: (segment: EventSegment) => Promise<void> | void;
  /** For a stream that has a lease of its own. */
  readonly leased?: {
    /** Continues or ends the stream, whose writer has lost its lease. */
    readonly onLost: () => Promise<unknown>;
    /** Tells the writer, on another server, that the stream has a reader. */
    readonly noteReader: () => Promise<void>;
    /** How often, in milliseconds. */
    readonly noteMs: number;
  };
}

/**
 * Reads a stream from a position on, live: from the memory of this server if that writes it, otherwise from the store. Resolves to its outcome,
 * or undefined if the reader has disconnected.
 */
export async function followStream(init: FollowInit): Promise<StreamOutcome | undefined> {
  const { id, store, openStreams, signal, onEvents, leased } = init;
  const changes = createChanges(id, openStreams, signal);
  let { after } = init;
  let notedAt = -Infinity;
  /** Kept when it was removed, since its outcome follows. */
  let local: LocalStream | undefined;

  /** Passes on the next events. Returns whether there were any. */
  async function pass({ first, events }: EventSegment): Promise<boolean> {
    const isNew = first + events.length - 1 > after;
    if (!isNew) return false;
    const next = after + 1;
    after = first + events.length - 1;
    await onEvents({ first: next, events: first < next ? events.slice(next - first) : events });
    return true;
  }
  try {
    while (!signal.aborted) {
      changes.reset();
      local = openStreams.find(id) ?? local;
      const outcome = local?.outcome();
      const events = local?.since(after);
      if (events) {
        if (await pass({ first: after + 1, events })) continue;
        if (outcome) return outcome;
        await changes.next();
        continue;
      }
      const page = await store.read(id, { after, limit: pageSize });
      if (!page) return { status: 'deleted' };
      for (const segment of page.segments) await pass(segment);
      if (page.hasMore) continue;
      if (page.failure) return { status: 'failed', failure: page.failure };
      if (page.status === 'ended') return { status: 'ended' };
      if (local) continue;
      if (page.status === 'lost') {
        await leased?.onLost();
        continue;
      }
      if (leased && performance.now() - notedAt >= leased.noteMs) {
        notedAt = performance.now();
        await leased.noteReader();
      }
      await changes.next(Math.min(pollMs, leased?.noteMs ?? pollMs));
    }
    return undefined;
  } finally {
    changes.stop();
  }
}

interface Changes {
  /** Changes from now on count. */
  reset(): void;
  /** Resolves at a change since `reset`, after `timeoutMs`, or when the reader disconnects. */
  next(timeoutMs?: number): Promise<void>;
  stop(): void;
}

function createChanges(id: string, openStreams: OpenStreams, signal: AbortSignal): Changes {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const onChange = (): void => {
    hasChanged = true;
    wake?.();
  };
  const unsubscribe = openStreams.subscribe(id, onChange);
  signal.addEventListener('abort', onChange, { once: true });
  return {
    reset() {
      hasChanged = false;
    },
    next(timeoutMs) {
      if (hasChanged) return Promise.resolve();
      return new Promise((resolve) => {
        const clearTimer = timeoutMs === undefined ? undefined : unrefTimeout(timeoutMs, resolve);
        wake = () => {
          clearTimer?.();
          resolve();
        };
      });
    },
    stop() {
      unsubscribe();
      signal.removeEventListener('abort', onChange);
    },
  };
}
