import { ContentCorruptedError } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { openBytePipe } from '../../streaming/byte-pipe.ts';
import type { Call } from '../../call.ts';
import type { BytesReply } from '../reply.ts';

/** Responds with bytes that clients have uploaded: browsers must not run them as part of this site. */
export async function sendBytes(
  { logRecord }: Pick<Call, 'logRecord'>,
  server: ServerContext,
  init: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly source: AsyncIterable<Uint8Array>;
  },
): Promise<BytesReply> {
  const { status, headers, source } = init;
  const bytes = await openBytePipe({ source, stallMs: server.options.writeTimeoutMs });
  const done = bytes.done.then((failure) => {
    if (failure === undefined) return;
    if (failure instanceof ContentCorruptedError) {
      // It is reported where it was found.
      logRecord.error = 'content_corrupted';
      return;
    }
    logRecord.error = 'content_broke_off';
    server.options.report('bytes that were being sent could not be read', failure);
  });
  return {
    status,
    bytes,
    done,
    headers: {
      ...headers,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    },
  };
}
