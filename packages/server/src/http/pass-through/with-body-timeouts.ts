import { uploadTimeout } from '../../errors.ts';
import { BodyTimer, checkIntervalMs } from '../../limits/request-bodies.ts';
import type { BodyTimeouts } from '../../limits/request-bodies.ts';

/**
 * The chunks of a body as they arrive. Calls `onTimeout` with a 408 when a timeout is exceeded; time in which
 * the receiver is not ready for more does not count.
 */
export async function* withBodyTimeouts(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
  onTimeout: (error: Error) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bodyTimer = new BodyTimer(timeouts, performance.now());
  const interval = setInterval(() => {
    if (bodyTimer.hasTimedOut(performance.now())) onTimeout(uploadTimeout());
  }, checkIntervalMs(timeouts));
  try {
    for await (const chunk of source) {
      bodyTimer.receive(chunk.byteLength, performance.now());
      yield chunk;
      bodyTimer.resume(performance.now());
    }
  } finally {
    clearInterval(interval);
  }
}
