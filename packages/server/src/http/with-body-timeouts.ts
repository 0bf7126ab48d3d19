import { uploadTimeout } from '../errors.ts';
import { BodyTimer, checkIntervalMs } from '../limits/body-watchdog.ts';
import type { BodyTimeouts } from '../limits/body-watchdog.ts';

/**
 * The chunks of a body as they arrive. Aborts with a 408 when a timeout is exceeded; time in which the receiver is not ready for more does not
 * count. The timer ends with the body, or when the controller aborts: nobody may read the rest then.
 */
export async function* withBodyTimeouts(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
  abort: AbortController,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bodyTimer = new BodyTimer(timeouts, performance.now());
  const interval = setInterval(() => {
    if (bodyTimer.hasTimedOut(performance.now())) abort.abort(uploadTimeout());
  }, checkIntervalMs(timeouts));
  const stop = (): void => clearInterval(interval);
  abort.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of source) {
      bodyTimer.receive(chunk.byteLength, performance.now());
      yield chunk;
      bodyTimer.resume(performance.now());
    }
  } finally {
    stop();
    abort.signal.removeEventListener('abort', stop);
  }
}
