import type { Dispatcher, Pool } from 'undici';
import type { Server } from './attempts.ts';
import type { Connections } from './exchange.ts';
import type { ServerSettings } from './settings.ts';

/** An upstream with its own connections, which are opened on demand. */
export function connectServer(settings: ServerSettings): Server {
  return { settings, dispatcher: openOnDemand(settings) };
}

const nothing = (): void => undefined;
/** Of a request that was not sent. */
const noController: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: nothing,
  pause: nothing,
  resume: nothing,
};

/** Loads undici at the first request: a server without upstreams saves its memory. */
function openOnDemand(settings: ServerSettings): Connections {
  let loading: Promise<Pool> | undefined;
  let pool: Pool | undefined;
  async function load(): Promise<Pool> {
    const undici = await import('undici');
    return (pool = new undici.Pool(settings.origin, {
      connections: settings.connections,
      connect: { timeout: settings.timeouts.connect },
      // An aborted reply resets its stream and must not wait behind others on one connection.
      allowH2: false,
    }));
  }
  return {
    dispatch(options, handler) {
      if (pool) return pool.dispatch(options, handler);
      (loading ??= load()).then(
        (loaded) => loaded.dispatch(options, handler),
        (error: unknown) => {
          // Such as too many open files: the next request tries again.
          loading = undefined;
          handler.onResponseError?.(noController, error instanceof Error ? error : new Error(String(error)));
        },
      );
      return true;
    },
    async close() {
      await (await loading?.catch(nothing))?.close();
    },
  };
}
