import type { Dispatcher, Pool } from 'undici';
import type { Server } from './attempts.ts';
import { ConnectionPool } from './connections.ts';
import type { Connections, OutgoingRequest } from './exchange.ts';
import type { ServerSettings } from './settings.ts';

/** An upstream with its own connections, which are opened on demand. */
export function connectServer(settings: ServerSettings): Server {
  const textConnections = new ConnectionPool(settings);
  const streamConnections = createLazyConnections(settings);
  return {
    settings,
    dispatcher: {
      dispatch(outgoing, handler) {
        const { method = 'POST', body } = outgoing;
        if (method === 'POST' && typeof body === 'string') return textConnections.dispatch(outgoing, body, handler);
        return streamConnections.dispatch(outgoing, handler);
      },
      async close() {
        await Promise.all([textConnections.close(), streamConnections.close()]);
      },
    },
  };
}

const noop = (): void => undefined;
/** The error of a request that was not sent. */
const noopController: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: noop,
  pause: noop,
  resume: noop,
};

/** Connections of undici, for requests with streamed bodies. Loaded at the first one, to save memory. */
function createLazyConnections(settings: ServerSettings): Connections {
  let loading: Promise<Pool> | undefined;
  let pool: Pool | undefined;
  async function load(): Promise<Pool> {
    const undici = await import('undici');
    return (pool = new undici.Pool(settings.origin, {
      connections: settings.connections,
      connect: { timeout: settings.timeouts.connect },
      // HTTP/1.1 only: an abort closes the connection, so requests must not share one.
      allowH2: false,
    }));
  }
  return {
    dispatch(outgoing, handler) {
      const options = dispatchOptions(outgoing);
      if (pool) {
        pool.dispatch(options, handler);
        return undefined;
      }
      (loading ??= load()).then(
        (loaded) => loaded.dispatch(options, handler),
        (error: unknown) => {
          // Such as too many open files: the next request tries to load it again.
          loading = undefined;
          handler.onResponseError(noopController, error instanceof Error ? error : new Error(String(error)));
        },
      );
      return undefined;
    },
    async close() {
      await (await loading?.catch(noop))?.close();
    },
  };
}

function dispatchOptions({
  method = 'POST',
  path,
  headers,
  body,
  firstByte,
  idle,
}: OutgoingRequest): Dispatcher.DispatchOptions {
  return { method, path, headers, body, headersTimeout: firstByte, bodyTimeout: idle };
}
