import { isRecord } from '@modelwire/adapter-kit';
import type { OpenReply, UpstreamReply } from '../attempts/attempts.ts';
import type { ExpectedReply } from './chunk-normalizer.ts';
import { reportReply } from '@modelwire/adapter-kit/internal';
import { TransportError } from '../transport-error.ts';
import { normalizeCompletion } from './completion-normalizer.ts';
import { readErrorBody } from './error-body.ts';
import { errorInReply, FailedReply, transportFailure, unexpectedReply } from '../attempts/failures.ts';
import type { AttemptFailure, FailureInReply } from '../attempts/failures.ts';
import { parseLargeJson } from '../requests/json.ts';
import { maxBodyBytes, mediaType, readText } from './reply-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** Opens a whole reply to a chat request as a completion of the API. */
export function openCompletion(expected: ExpectedReply): OpenReply<Json> {
  return (upstreamReply) =>
    readBody(upstreamReply, (value) => normalizeCompletion(value, upstreamReply.server, expected), 'no choices');
}

/**
 * A whole reply, parsed by `parse`, which returns undefined for a reply of another kind; `missingPart` names what it lacks. Throws a
 * `FailedReply`, or the reason of the abort.
 */
export function readCompleteBody<Value>(
  upstreamReply: UpstreamReply,
  parse: (value: Json) => Value | undefined,
  missingPart: string,
): Promise<Value> {
  const parseValue = (json: Json): { readonly value: Value } | undefined => {
    const value = parse(json);
    return value === undefined ? undefined : { value };
  };
  return readBody(upstreamReply, parseValue, missingPart);
}

async function readBody<Value>(
  upstreamReply: UpstreamReply,
  parse: (value: Json) => { readonly value: Value } | FailureInReply | undefined,
  missingPart: string,
): Promise<Value> {
  const { reply, permit, server } = upstreamReply;
  let outcome: { readonly value: Value } | AttemptFailure;
  try {
    const isStream = mediaType(reply) === 'text/event-stream';
    outcome = isStream
      ? unexpectedReply('events instead of JSON', server.name)
      : await parseReply(await readText(reply, maxBodyBytes), server, parse, missingPart);
  } catch (thrown) {
    reply.body.cancel();
    if (!(thrown instanceof TransportError)) {
      permit.released();
      throw thrown;
    }
    outcome = transportFailure(thrown, server.name);
  }
  if ('value' in outcome) {
    permit.succeeded();
    return outcome.value;
  }
  reply.body.cancel();
  reportReply(permit, outcome.fault);
  throw new FailedReply(outcome);
}

async function parseReply<Value>(
  text: string | undefined,
  server: UpstreamReply['server'],
  parse: (value: Json) => { readonly value: Value } | FailureInReply | undefined,
  missingPart: string,
): Promise<{ readonly value: Value } | AttemptFailure> {
  if (text === undefined) return unexpectedReply('too large', server.name);
  const json = await parseLargeJson(text);
  if (json === 'too deep') return unexpectedReply('values nested too deeply', server.name);
  const { value: parsed } = json;
  const result = isRecord(parsed) ? parse(parsed) : undefined;
  if (result !== undefined) return 'failure' in result ? result.failure : result;
  const fields = readErrorBody(text);
  if (fields === undefined && !isRecord(parsed)) return unexpectedReply('not a JSON object', server.name);
  return fields === undefined ? unexpectedReply(missingPart, server.name) : errorInReply(fields, server);
}
