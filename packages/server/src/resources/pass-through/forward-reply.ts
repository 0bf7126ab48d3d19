import type { PassThroughReply, PassThroughTarget } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError } from '../../errors.ts';
import { replyHeaders } from './forwarded-headers.ts';
import type { ForwardedUsage } from './forwarded-usage.ts';
import type { BytesReply } from '../../http/reply.ts';
import { openBytePipe } from '../../streaming/byte-pipe.ts';

/** Passes the reply of an upstream on as it arrives, no faster than the client reads it, and records its usage at the end. */
export async function forwardReply(init: {
  readonly call: Call;
  readonly server: ServerContext;
  readonly target: PassThroughTarget;
  readonly reply: PassThroughReply;
  /** Undefined for a request whose reply has no usage. */
  readonly usage: ForwardedUsage | undefined;
  /** Called with the error if the reply failed. */
  readonly onEnd: (failure: unknown) => void;
}): Promise<BytesReply> {
  const { call, server, target, reply, usage, onEnd } = init;
  const { logRecord } = call;
  const upstreamHeaders = replyHeaders(reply.headers);
  const contentType = upstreamHeaders['content-type'];
  const source = usage && reply.status < 400 ? usage.reply(reply.body, upstreamHeaders) : reply.body;
  const bytes = await openBytePipe({ source, stallMs: server.options.writeTimeoutMs });
  if (contentType?.startsWith('text/event-stream')) {
    logRecord.streamed = true;
    // Reverse proxies that buffer responses (nginx) do not buffer these.
    upstreamHeaders['x-accel-buffering'] = 'no';
  }
  const done = bytes.done.then((failure) => {
    if (failure !== undefined) logRecord.error = failure instanceof RequestError ? failure.code : 'internal_error';
    onEnd(failure);
  });
  // Headers of this server take precedence: its rate limits are not those of the upstream.
  const ownHeaderNames = new Set(Object.keys(call.responseHeaders));
  const headers = Object.fromEntries(Object.entries(upstreamHeaders).filter(([name]) => !ownHeaderNames.has(name)));
  return {
    status: reply.status,
    bytes,
    done,
    headers: {
      ...headers,
      'x-modelwire-upstream': target.upstream,
      // Browsers must not run it as part of this site.
      'content-security-policy': "sandbox; default-src 'none'",
    },
  };
}
