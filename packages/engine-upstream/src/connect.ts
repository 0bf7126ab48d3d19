import { Pool } from 'undici';
import type { Server } from './attempts.ts';
import type { ServerSettings } from './settings.ts';

/** An upstream with connections of its own, which are opened when they are needed. */
export function connectServer(settings: ServerSettings): Server {
  const dispatcher = new Pool(settings.origin, {
    connections: settings.connections,
    connect: { timeout: settings.timeouts.connect },
    // A reply that is broken off resets its stream and must not wait behind others on one connection.
    allowH2: false,
  });
  return { settings, dispatcher };
}
