import type { SessionRecord, SessionStore } from '@modelwire/ports';

/** Sessions kept at most; the oldest are dropped first. */
const maxSessions = 10_000;

/** Sessions of a server without stores. They end with its process. */
export function memorySessionStore(): SessionStore {
  const sessions = new Map<string, SessionRecord>();
  return {
    add(session) {
      if (sessions.has(session.hash)) return Promise.reject(new Error('a session with this hash exists'));
      sessions.set(session.hash, session);
      if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value ?? '');
      return Promise.resolve();
    },
    find: (hash) => Promise.resolve(sessions.get(hash)),
    extend(hash, expires) {
      const found = sessions.get(hash);
      if (found) sessions.set(hash, { ...found, expires });
      return Promise.resolve();
    },
    consume(hash) {
      const found = sessions.get(hash);
      sessions.delete(hash);
      return Promise.resolve(found);
    },
  };
}
