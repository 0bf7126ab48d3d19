import { parseRequest } from '@modelwire/schema';
import type { FormBody, JsonBody, Parsed } from '@modelwire/schema';
import { unsupportedContentType, invalid, invalidField } from '../errors.ts';
import { isForm, receiveForm } from './forms/receive-form.ts';
import { assertUnencoded, decodeText, readBody } from './read-body.ts';
import type { RequestState, Route } from './request-state.ts';
import { hasRawNumbers, parseExactJsonInSlices, withRoundedNumbers } from '../json/exact-json.ts';
import { sourceOf } from '../json/exact-number.ts';
import * as z from 'zod';
import { isRecord } from '@modelwire/adapter-kit';
import { isJsonType, yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import type { ServerContext } from '../context.ts';

/**
 * Stage: parses query and body by the contract. Files of a form are stored when it resolves.
 *
 * @throws a 400 that names the field, and a 408, 413 or 415 for a body that cannot be read.
 */
export async function parse<Body, Query>(state: RequestState<Body, Query>): Promise<undefined> {
  const { route, request, server } = state;
  state.query = unwrapOrThrow(parseQuery(route, request.url, server.options));
  if (route.isIdempotent) state.idempotencyKey = state.header('idempotency-key');
  if (route.read) state.body = route.read(state);
  else if (route.json || route.form) await parseBody(state);
  else if (route.access === 'operate' && route.method === 'POST') await parseEmptyBody(state);
}

const emptyObject = z.strictObject({});

/** An administrator's request with a body has an effect in mind that an endpoint without a body does not have. */
async function parseEmptyBody<Body, Query>({
  header,
  request,
  server,
  memory,
}: RequestState<Body, Query>): Promise<void> {
  const bytes = await readBody(request, server, memory);
  if (bytes.byteLength === 0) return;
  requireJson(header('content-type'));
  const body = await parseClientJson(decodeText(bytes, 'The request body'));
  unwrapOrThrow(parseRequest(emptyObject, body ?? {}, server.options));
}

function parseQuery<Body, Query>(
  route: Route<Body, Query>,
  url: string,
  { unknownFields }: ServerContext['options'],
): Parsed<Query> {
  const queryStart = url.indexOf('?');
  const fields = queryStart === -1 ? [] : new URLSearchParams(url.slice(queryStart + 1));
  return route.parseQuery(fields, { unknownFields });
}

/** Returns the parsed value. @throws a 400 with the field and the problem. */
function unwrapOrThrow<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  throw invalidField(parsed.problem);
}

async function parseBody<Body, Query>(state: RequestState<Body, Query>): Promise<void> {
  const { route, request, server } = state;
  assertUnencoded(state.header('content-encoding'));
  if (route.form && isForm(state.header('content-type'))) {
    await parseForm(state, route.form);
  } else if (!route.json) throw unsupportedContentType('multipart/form-data');
  else if (request.parsedBody) {
    state.body = unwrapOrThrow(parseByContract(route.json, await request.parsedBody(), server.options));
  } else {
    requireJson(state.header('content-type'));
    const bytes = await readBody(request, server, state.memory);
    await yieldAfterLarge(bytes.byteLength);
    const text = decodeText(bytes, 'The request body');
    // Kept only where it is needed: it is as large as the parsed body.
    if (state.idempotencyKey !== null) state.bodyIdentity = text;
    state.body = unwrapOrThrow(parseByContract(route.json, await parseClientJson(text), server.options));
    await yieldAfterLarge(text.length);
  }
}

async function parseForm<Body, Query>(state: RequestState<Body, Query>, form: FormBody<Body>): Promise<void> {
  const received = await receiveForm(state, form);
  state.form = received;
  state.body = received.body;
  state.files = received.files;
  state.bodyIdentity = received.identity;
}

/**
 * Parses a body by the contract. A number that no double holds exactly reaches upstreams and engines as it was written, where the schema
 * allows any JSON, such as in the JSON Schema of a tool. Fields that are numbers have the nearest double; a seed is exact to the last digit.
 */
function parseByContract<Body>(
  { parse: parseBody }: Pick<JsonBody<Body>, 'parse'>,
  body: unknown,
  { unknownFields, defaultModel }: ServerContext['options'],
): Parsed<Body> {
  const options = { unknownFields, defaultModel };
  const exact = withExactSeed(body);
  const parsed = parseBody(exact, options);
  if (parsed.ok || !hasRawNumbers(exact)) return parsed;
  return parseBody(withRoundedNumbers(exact), options);
}

/** Maximum number of values in a body. Parsing ten million empty lists blocks the event loop for seconds; real requests have far fewer. */
const maxValues = 250_000;

/** @throws a 415 for a request that does not declare its body as JSON. */
function requireJson(contentType: string | null): void {
  if (!isJsonType(contentType)) throw unsupportedContentType('application/json');
}

/**
 * Parses JSON from a client, up to 250,000 values, as it was written. A large text is parsed in time slices.
 *
 * @throws a 400 for invalid JSON, and for what cannot be kept exactly.
 */
export async function parseClientJson(text: string): Promise<unknown> {
  if (text.trim() === '') throw invalid(null, 'The request body is empty: send a JSON object.', 'invalid_json');
  try {
    return await parseExactJsonInSlices(text, maxValues);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message of the parser quotes the body, which must not be logged.
    throw invalid(null, 'The request body is not valid JSON.', 'invalid_json');
  }
}

const seedDigits = /^-?\d{16,19}$/;

/** A body with a `seed` beyond 2^53 as a bigint, exact to the last digit. Fractions remain numbers, which the schema refuses. */
export function withExactSeed(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { seed } = body;
  if (typeof seed === 'number') {
    const isUnsafe = Number.isInteger(seed) && !Number.isSafeInteger(seed);
    return isUnsafe ? { ...body, seed: BigInt(seed) } : body;
  }
  const digits = sourceOf(seed);
  if (digits === undefined) return body;
  return { ...body, seed: seedDigits.test(digits) ? BigInt(digits) : Number(digits) };
}
