import type { Clock, SessionRecord, SessionStore } from '@modelwire/ports';

/** Sessions kept at most; the oldest are dropped first. */
const maxSessions = 10_000;

interface KeptSession {
  readonly record: SessionRecord;
  /** Milliseconds from the monotonic clock to the system clock, when the times of the record were set. */
  readonly clockOffset: number;
}

/**
 * Sessions of a server without stores. They end with its process, and they last as long as they should when the system clock is set: their
 * times move with it.
 */
export function memorySessionStore(clock: Clock): SessionStore {
  const sessions = new Map<string, KeptSession>();
  const clockOffset = (): number => clock.now() - clock.monotonic();
  const keep = (record: SessionRecord): void => void sessions.set(record.hash, { record, clockOffset: clockOffset() });

  /** The record, with its times by the system clock as it is set now. */
  function find(hash: string): SessionRecord | undefined {
    const kept = sessions.get(hash);
    if (!kept) return undefined;
    const shift = Math.round((clockOffset() - kept.clockOffset) / 1000);
    const { record } = kept;
    return shift === 0 ? record : { ...record, created: record.created + shift, expires: record.expires + shift };
  }
  return {
    add(session) {
      if (sessions.has(session.hash)) return Promise.reject(new Error('a session with this hash exists'));
      keep(session);
      if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value ?? '');
      return Promise.resolve();
    },
    find: (hash) => Promise.resolve(find(hash)),
    extend(hash, expires) {
      const found = find(hash);
      if (found) keep({ ...found, expires });
      return Promise.resolve();
    },
    consume(hash) {
      const found = find(hash);
      sessions.delete(hash);
      return Promise.resolve(found);
    },
  };
}
