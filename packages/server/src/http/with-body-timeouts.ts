import { watchBody } from '../limits/body-timeouts.ts';
import type { BodyTimeouts } from '../limits/body-timeouts.ts';

/**
 * The chunks of a body as they arrive. Aborts with a 408 when a timeout is exceeded; time in which the receiver is not ready for more does not
 * count. The timer ends with the body, or when the controller aborts: nobody may read the rest then.
 */
export async function* withBodyTimeouts(
  source: AsyncIterable<Uint8Array>,
  timeouts: BodyTimeouts,
  abort: AbortController,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { receive, resume, end } = watchBody(timeouts, (error) => abort.abort(error));
  abort.signal.addEventListener('abort', end, { once: true });
  try {
    for await (const chunk of source) {
      receive(chunk.byteLength);
      yield chunk;
      resume();
    }
  } finally {
    end();
    abort.signal.removeEventListener('abort', end);
  }
}
