import { RequestError, isRecord } from '@modelwire/ports';
import type { Answer } from './attempts.ts';
import { readUsage } from './chunk-facts.ts';
import { TransportError } from './exchange.ts';
import { errorFields } from './error-body.ts';
import { errorInReply, transportFailure, unexpectedReply } from './failures.ts';
import { isTooDeep, parseJson } from './json.ts';
import { mediaType, readText } from './reply-text.ts';

/** A whole reply is held in memory: no more than this. */
const wholeLimit = 64 * 1024 * 1024;

/** The completion of a whole reply, as it came, less a usage that is none. Throws a `RequestError`, or the reason of the abort. */
export async function readCompletion(answer: Answer): Promise<Readonly<Record<string, unknown>>> {
  const { reply, permit, server } = answer;
  try {
    const completion = await parseCompletion(answer);
    permit.succeeded();
    return completion;
  } catch (thrown) {
    reply.body.cancel();
    if (thrown instanceof TransportError) {
      permit.failed();
      throw transportFailure(thrown, server.name).error;
    }
    if (!(thrown instanceof RequestError)) permit.left();
    else if (thrown.status >= 500) permit.failed();
    else permit.succeeded();
    throw thrown;
  }
}

async function parseCompletion({ reply, server }: Answer): Promise<Readonly<Record<string, unknown>>> {
  if (mediaType(reply) === 'text/event-stream') throw unexpectedReply('events instead of JSON', server.name);
  const text = await readText(reply, wholeLimit);
  if (text === undefined) throw unexpectedReply('too large', server.name);
  if (isTooDeep(text)) throw unexpectedReply('values too deep in each other', server.name);
  const value = parseJson(text);
  if (!isRecord(value)) throw unexpectedReply('not a JSON object', server.name);
  if (value['choices'] !== undefined) return readUsage(value['usage']) === undefined ? withoutUsage(value) : value;
  const fields = errorFields(value);
  throw fields === undefined ? unexpectedReply('no choices', server.name) : errorInReply(fields, server);
}

function withoutUsage({ usage: _, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return rest;
}
