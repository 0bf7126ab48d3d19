import { isRecord, parseJson, readUsage } from '@modelwire/ports';
import type { UpstreamReply } from './attempts.ts';
import { reportReply } from './circuit-breaker.ts';
import { TransportError } from './exchange.ts';
import { errorFields } from './error-body.ts';
import { errorInReply, FailedReply, transportFailure, unexpectedReply } from './failures.ts';
import type { AttemptFailure } from './failures.ts';
import { isTooDeep } from './json.ts';
import { mediaType, readText } from './reply-text.ts';

/** Maximum size of a whole reply, which is held in memory. */
const maxBodyBytes = 64 * 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

/**
 * The completion of a whole reply, unchanged except for an invalid usage, which is removed. Throws a `FailedReply`, or the reason of the
 * abort.
 */
export function readCompletion(upstreamReply: UpstreamReply): Promise<Json> {
  const parse = (value: Json): Json | undefined => {
    if (value['choices'] === undefined) return undefined;
    return readUsage(value['usage']) === undefined ? withoutUsage(value) : value;
  };
  return readCompleteBody(upstreamReply, parse, 'no choices');
}

/**
 * A whole reply, parsed by `parse`, which returns undefined for a reply of another kind; `missing` names what it lacks. Throws a
 * `FailedReply`, or the reason of the abort.
 */
export async function readCompleteBody<Value>(
  upstreamReply: UpstreamReply,
  parse: (value: Json) => Value | undefined,
  missingPart: string,
): Promise<Value> {
  const { reply, permit, server } = upstreamReply;
  let outcome: { readonly value: Value } | AttemptFailure;
  try {
    const isStream = mediaType(reply) === 'text/event-stream';
    outcome = isStream
      ? unexpectedReply('events instead of JSON', server.name)
      : parseReply(await readText(reply, maxBodyBytes), server, parse, missingPart);
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

function parseReply<Value>(
  text: string | undefined,
  server: UpstreamReply['server'],
  parse: (value: Json) => Value | undefined,
  missingPart: string,
): { readonly value: Value } | AttemptFailure {
  if (text === undefined) return unexpectedReply('too large', server.name);
  if (isTooDeep(text)) return unexpectedReply('values nested too deeply', server.name);
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return unexpectedReply('not a JSON object', server.name);
  const value = parse(parsed);
  if (value !== undefined) return { value };
  const fields = errorFields(parsed);
  return fields === undefined ? unexpectedReply(missingPart, server.name) : errorInReply(fields, server);
}

function withoutUsage({ usage: _, ...rest }: Json): Json {
  return rest;
}
