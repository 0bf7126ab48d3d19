import { createSemaphore } from '@modelwire/adapter-kit';
import type { Semaphore } from '@modelwire/adapter-kit';
import { Pool } from 'undici/index.js';
import type { Dispatcher } from 'undici';
import type { ServerSettings } from './presets/settings.ts';

/** An upstream and its connections. */
export interface Server {
  readonly settings: ServerSettings;
  readonly dispatcher: Dispatcher;
  /** One for each connection, if their number is limited: undici would hold requests that wait for one after their clients disconnected. */
  readonly slots: Semaphore | undefined;
}

/** An upstream with its own connections, which are opened on demand. */
export function connectServer(settings: ServerSettings): Server {
  const { origin, connections } = settings;
  const { connect, firstByte, idle } = settings.timeouts;
  const dispatcher = new Pool(origin, {
    connections,
    connect: { timeout: connect },
    headersTimeout: firstByte,
    bodyTimeout: idle,
    // HTTP/1.1 only: an abort closes the connection, so requests must not share one.
    allowH2: false,
  });
  return { settings, dispatcher, slots: connections === null ? undefined : createSemaphore(connections) };
}
