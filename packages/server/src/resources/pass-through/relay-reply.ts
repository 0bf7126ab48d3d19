import type { PassThroughReply, PassThroughTarget } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError } from '../../errors.ts';
import { chargeTokens } from '../../generation/generate.ts';
import { replyHeaders } from '../../http/pass-through/forwarded-headers.ts';
import { createUsageReader } from '../../http/pass-through/usage-reader.ts';
import type { UsageReader } from '../../http/pass-through/usage-reader.ts';
import type { BudgetReservation } from '../../limits/budgets.ts';
import type { Reply } from '../../http/reply.ts';
import { openBytePipe } from '../../streaming/byte-pipe.ts';

/** Relays the reply of an upstream as it arrives, no faster than the client reads it, and records its usage at the end. */
export async function relayReply(init: {
  readonly call: Call;
  readonly server: ServerContext;
  readonly target: PassThroughTarget;
  readonly reply: PassThroughReply;
  /** Tokens that are reserved for the request. */
  readonly reserved: number;
  /** The reservation in its budgets. */
  readonly budget: BudgetReservation | undefined;
  /** The model that the usage is recorded for. */
  readonly meteredModel: () => string;
  readonly onEnd: () => void;
}): Promise<Reply> {
  const { call, server, target, reply, reserved, budget, meteredModel, onEnd } = init;
  const { logRecord } = call;
  const upstreamHeaders = replyHeaders(reply.headers);
  const contentType = upstreamHeaders['content-type'];
  const reader = upstreamHeaders['content-encoding'] === undefined ? createUsageReader(contentType) : undefined;
  const source = reader ? withUsage(reply.body, reader) : reply.body;
  const bytes = await openBytePipe({ source, stallMs: server.options.writeTimeoutMs });
  if (contentType?.startsWith('text/event-stream')) {
    logRecord.streamed = true;
    // Reverse proxies that buffer responses (nginx) do not buffer these.
    upstreamHeaders['x-accel-buffering'] = 'no';
  }
  const done = bytes.done.then((failure) => {
    onEnd();
    if (failure !== undefined) logRecord.error = failure instanceof RequestError ? failure.code : 'internal_error';
    const usage = reader?.usage;
    if (usage) logRecord.usage = usage;
    chargeTokens(server, call.principal, (usage?.total_tokens ?? 0) - reserved);
    budget?.settle(usage);
    if (reply.status < 400) server.meter?.count(call.principal, meteredModel(), usage);
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

async function* withUsage(body: AsyncIterable<Uint8Array>, reader: UsageReader): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    reader.write(piece);
    yield piece;
  }
}
