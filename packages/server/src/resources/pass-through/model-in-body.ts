import { isRecord, yieldToEventLoop } from '@modelwire/adapter-kit';
import { isJsonType, stringifyJson, yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import { unsupportedContentType, unsupportedEncoding, bodyTooLarge } from '../../errors.ts';
import { isForm } from '../../http/forms/receive-form.ts';
import { isRegularFormType, FormFieldFinder } from './form-field.ts';
import { decodeText } from '../../http/read-body.ts';
import { orderedObject } from '../../json/ordered-object.ts';
import { parseClientJson } from '../../http/parse-request.ts';
import { ambiguousModel, maxNameLength, uncertainModel } from './certain-model.ts';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';
import type { FormField } from './form-field.ts';

/** How a model is read in a body; `other`: it is not. */
type BodyFormat = 'json' | 'form' | 'other';

/** The charset is UTF-8, as JSON requires it. */
const regularJsonType = /^application\/(?:[\w.-]+\+)?json(?: *; *charset="?utf-8"?)?$/i;

/**
 * The format of a body by its headers.
 *
 * @param mustBeCertain Whether the model has to be known with certainty, since the key may not use every model, or has to pay for it.
 * @throws a 415 for a body in which no certain model can be read: of another type, charset or content coding than JSON and forms in UTF-8.
 */
export function bodyFormat(header: (name: string) => string | null, mustBeCertain: boolean): BodyFormat {
  const encoding = header('content-encoding');
  const contentType = header('content-type') ?? '';
  if (mustBeCertain) {
    if (encoding !== null) throw unsupportedEncoding(encoding);
    if (isRegularFormType(contentType)) return 'form';
    if (regularJsonType.test(contentType.trim())) return 'json';
    throw unsupportedContentType('application/json or multipart/form-data');
  }
  if (encoding !== null) return 'other';
  if (isForm(contentType)) return 'form';
  return isJsonType(contentType) && hasUtf8(contentType) ? 'json' : 'other';
}

function hasUtf8(contentType: string): boolean {
  const charsets = contentType.toLowerCase().matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/g);
  return [...charsets].every(([, charset]) => charset === 'utf-8' || charset === 'us-ascii');
}

/** The JSON body of a request that is forwarded. */
interface JsonRequest {
  /** The model that it names; undefined if it names none, or not as text. */
  readonly model: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Reads a body as the server reads its own: strictly, so that the upstream finds the same.
 *
 * @param mustBeCertain Whether a body that other parsers could read differently is refused, such as one with the model in another case.
 * @throws a 400 for a body that is no JSON or names the model twice; a 403 instead if the model must be certain.
 */
export async function readJsonRequest(bytes: Uint8Array, mustBeCertain: boolean): Promise<JsonRequest> {
  if (mustBeCertain && bytes[0] === byteOrderMark) throw uncertainModel();
  if (bytes.byteLength === 0) return { model: undefined, members: {} };
  const value = await parseBytes(bytes).catch((error: unknown) => {
    throw mustBeCertain ? uncertainModel() : error;
  });
  const members = isRecord(value) ? value : {};
  const names = Object.keys(members).filter((name) => name.toLowerCase() === 'model');
  if (names.length > 1) throw mustBeCertain ? uncertainModel() : ambiguousModel();
  const { model } = members;
  const isName = typeof model === 'string' && model.length <= maxNameLength;
  if (mustBeCertain && names.length > 0 && !isName) throw uncertainModel();
  return { model: isName ? model : undefined, members };
}

/** The body with another name of the model. Everything else is written as it was, numbers that no double holds included. */
export async function renameModel({ members }: JsonRequest, model: string): Promise<Uint8Array> {
  const renamed = Object.entries(members).map(([name, value]) => [name, name === 'model' ? model : value] as const);
  return Buffer.from(await stringifyJson(orderedObject(renamed)));
}

/** The first byte of a byte order mark, which no JSON begins with. */
const byteOrderMark = 0xef;

async function parseBytes(bytes: Uint8Array): Promise<unknown> {
  await yieldAfterLarge(bytes.byteLength);
  return parseClientJson(decodeText(bytes, 'The request body'));
}

/**
 * Finds the model in the chunks of a form, all of which must be passed to it. Returns it with the chunk in which it ends.
 *
 * @throws a 400 if the form could name another model, depending on its parser: the upstream would use one that was not checked. A 403 instead if
 * the model must be certain, also for a form that parsers could read in different ways.
 */
export type FormModelFinder = (chunk: Uint8Array) => FormField | undefined;

export function createFormModelFinder(contentType: string, mustBeCertain: boolean): FormModelFinder {
  const finder = FormFieldFinder.create(contentType, 'model', maxNameLength);
  return (chunk) => {
    const found = finder?.write(chunk);
    if (mustBeCertain && !isCertain(finder)) throw uncertainModel();
    if (finder?.isAmbiguous === true) throw ambiguousModel();
    return found;
  };
}

function isCertain(finder: FormFieldFinder | undefined): boolean {
  return finder !== undefined && !finder.isAmbiguous && finder.isRegular && !finder.hasUnreported;
}

/** The beginning of a form, up to the chunk in which its model ends, and the rest. */
interface BufferedForm {
  readonly model: FormField | undefined;
  /** In memory. */
  readonly beginning: Uint8Array;
  readonly rest: AsyncIterator<Uint8Array>;
  readonly find: FormModelFinder;
}

/**
 * Reads a form until its model is found. What is read is kept, and reserved before.
 *
 * @throws a 413 when the model is not among the first `maxBytes`, a 503 when there is no memory for them, and what the body throws.
 */
export async function readUntilModel(
  body: AsyncIterable<Uint8Array>,
  find: FormModelFinder,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: ByteReservation },
): Promise<BufferedForm> {
  const rest = body[Symbol.asyncIterator]();
  const chunks = new ChunkBuffer();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const chunk = next.value;
    if (chunks.length + chunk.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    memory.acquireNow(chunk.byteLength);
    chunks.add(chunk);
    const model = find(chunk);
    if (model) return { model, beginning: chunks.join(), rest, find };
  }
  return { model: undefined, beginning: chunks.join(), rest, find };
}

/** The complete form, with the model renamed if a name is given. The memory of its beginning is released once it was read. */
export async function* replayForm(
  { model, beginning, rest, find }: BufferedForm,
  rename: string | undefined,
  memory: ByteReservation,
): AsyncGenerator<Uint8Array, void, undefined> {
  let hasEnded = false;
  try {
    if (model && rename !== undefined) {
      yield* inPieces(beginning.subarray(0, model.start));
      yield Buffer.from(rename);
      yield* inPieces(beginning.subarray(model.end));
    } else yield* inPieces(beginning);
    memory.release();
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      find(next.value);
      yield next.value;
    }
    hasEnded = true;
  } finally {
    if (!hasEnded) await rest.return?.();
  }
}

/** Passes a form on, and reports its model when it is found. */
export async function* observeModel(
  body: AsyncIterable<Uint8Array>,
  find: FormModelFinder,
  onModel: (name: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    const model = find(chunk);
    if (model) onModel(model.text);
    yield chunk;
  }
}

/** Bytes that are passed on in one turn of the event loop: those of one read of a socket. */
const pieceBytes = 64 * 1024;

/** Passes bytes on with a turn of the event loop after each piece, as if they arrived now: they are read again to estimate their tokens. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    if (at > 0) await yieldToEventLoop();
    yield bytes.subarray(at, at + pieceBytes);
  }
}
