import { isRecord, parseJson } from '@modelwire/adapter-kit';
import type { BatchedReply, BatchExchange } from '@modelwire/ports';
import type { Permit } from '@modelwire/adapter-kit/internal';
import { FailedReply, replyFailure } from '../attempts/failures.ts';
import type { Call, OpenReply, Target } from '../attempts/attempts.ts';
import type { Reply } from '../exchange.ts';

/**
 * Gives the request to the exchange of its batch line instead of the upstream, and reads the reply from there as if the upstream had sent it.
 * Undefined if the request has to be sent.
 */
export async function exchangeInBatch<Result>(
  call: Call,
  open: OpenReply<Result>,
  { batch, target }: { readonly batch: BatchExchange; readonly target: Target },
): Promise<{ readonly result: Result } | undefined> {
  const { server, upstreamModel } = target;
  const { settings } = server;
  const body = await call.body(upstreamModel, { ...settings, isBatched: true });
  const reply = batch.reply({ path: call.path, body });
  if (!reply) return undefined;
  call.onUpstream?.(settings.name);
  const { status } = reply;
  if (status < 200 || status >= 300) {
    const { error, fault } = replyFailure(status, {}, reply.body, call, settings);
    call.onUpstream?.(settings.name, fault ?? `status ${status}`);
    throw error;
  }
  try {
    return { result: await open({ reply: storedReply(call.path, reply), permit: noPermit, server: settings }) };
  } catch (thrown) {
    throw thrown instanceof FailedReply ? thrown.failure.error : thrown;
  }
}

/** The reply says nothing about the upstream now. */
const noPermit: Permit = {
  responded: () => undefined,
  succeeded: () => undefined,
  failed: () => undefined,
  released: () => undefined,
};

function storedReply(path: Call['path'], { status, body }: BatchedReply): Reply {
  const isResponse = path === '/responses';
  let bytes = [Buffer.from(isResponse ? responseEvent(body) : body)];
  return {
    status,
    headers: { 'content-type': isResponse ? 'text/event-stream' : 'application/json' },
    body: {
      ready: () => bytes.length > 0,
      take() {
        const taken = bytes;
        bytes = [];
        return taken;
      },
      release: () => void (bytes = []),
      cancel: () => void (bytes = []),
    },
  };
}

/** The last event of the stream of a response. */
function responseEvent(body: string): string {
  const response = parseJson(body);
  const status = isRecord(response) ? response['status'] : undefined;
  const type = `response.${status === 'incomplete' || status === 'failed' ? status : 'completed'}`;
  return `data: ${JSON.stringify({ type, sequence_number: 0, response })}\n\n`;
}
