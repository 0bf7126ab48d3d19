import type { Kit } from '../../context.ts';
import { openBytePipe } from '../../streaming/byte-pipe.ts';
import type { Call } from '../../call.ts';
import type { Reply } from '../reply.ts';

/** Answers with bytes that callers have sent: no browser may run them as part of this site. */
export async function sendBytes(
  { hold, entry }: Pick<Call, 'hold' | 'entry'>,
  kit: Kit,
  init: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly source: AsyncIterable<Uint8Array>;
  },
): Promise<Reply> {
  const { status, headers, source } = init;
  const held: { over?: () => void } = {};
  const bytes = await openBytePipe({
    source,
    stallMs: kit.options.slowReaderMs,
    over(failure) {
      if (failure !== undefined) {
        entry.error = 'content_broke_off';
        kit.options.report('bytes that were being sent could not be read', failure);
      }
      held.over?.();
    },
  });
  held.over = hold();
  return {
    status,
    bytes,
    headers: {
      ...headers,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    },
  };
}
