import { isRecord } from '@modelwire/ports';
import type { Answer } from './attempts.ts';
import { readUsage } from './chunk-facts.ts';
import { reportAnswer } from './circuit-breaker.ts';
import { TransportError } from './exchange.ts';
import { errorFields } from './error-body.ts';
import { errorInReply, transportFailure, unexpectedReply } from './failures.ts';
import type { ErrorAnswer } from './failures.ts';
import { isTooDeep, parseJson } from './json.ts';
import { mediaType, readText } from './reply-text.ts';

/** A whole reply is held in memory: no more than this. */
const wholeLimit = 64 * 1024 * 1024;

type Completion = Readonly<Record<string, unknown>>;

/** The completion of a whole reply, as it came, less a usage that is none. Throws a `RequestError`, or the reason of the abort. */
export async function readCompletion(answer: Answer): Promise<Completion> {
  const { reply, permit, server } = answer;
  let read: { readonly completion: Completion } | ErrorAnswer;
  try {
    read = await parseCompletion(answer);
  } catch (thrown) {
    reply.body.cancel();
    if (!(thrown instanceof TransportError)) {
      permit.released();
      throw thrown;
    }
    read = transportFailure(thrown, server.name);
  }
  if ('completion' in read) {
    permit.succeeded();
    return read.completion;
  }
  reply.body.cancel();
  reportAnswer(permit, read.fault);
  throw read.error;
}

async function parseCompletion({ reply, server }: Answer): Promise<{ readonly completion: Completion } | ErrorAnswer> {
  if (mediaType(reply) === 'text/event-stream') return unexpectedReply('events instead of JSON', server.name);
  const text = await readText(reply, wholeLimit);
  if (text === undefined) return unexpectedReply('too large', server.name);
  if (isTooDeep(text)) return unexpectedReply('values nested too deeply', server.name);
  const value = parseJson(text);
  if (!isRecord(value)) return unexpectedReply('not a JSON object', server.name);
  if (value['choices'] !== undefined) {
    return { completion: readUsage(value['usage']) === undefined ? withoutUsage(value) : value };
  }
  const fields = errorFields(value);
  return fields === undefined ? unexpectedReply('no choices', server.name) : errorInReply(fields, server);
}

function withoutUsage({ usage: _, ...rest }: Completion): Completion {
  return rest;
}
