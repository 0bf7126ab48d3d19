import { uploadTimeout } from '../../errors.ts';
import { SenderPace, checkIntervalMs } from '../../limits/sender-pace.ts';
import type { PaceRules } from '../../limits/sender-pace.ts';

/**
 * The chunks of a body as they arrive. Calls `onTooSlow` with a 408 if they arrive more slowly than the rules allow; time in which
 * the receiver is not ready for more does not count.
 */
export async function* pacedBody(
  source: AsyncIterable<Uint8Array>,
  rules: PaceRules,
  onTooSlow: (error: Error) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pace = new SenderPace(rules, performance.now());
  const timer = setInterval(() => {
    if (pace.isTooSlow(performance.now())) onTooSlow(uploadTimeout());
  }, checkIntervalMs(rules));
  try {
    for await (const chunk of source) {
      pace.receive(chunk.byteLength, performance.now());
      yield chunk;
      pace.resume(performance.now());
    }
  } finally {
    clearInterval(timer);
  }
}
