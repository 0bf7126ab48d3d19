import { yieldToEventLoop } from '@modelwire/ports';
import { RequestError, bodyTooLarge, invalid, unsupportedContentType, unsupportedEncoding } from '../../errors.ts';
import { createChunkBuffer } from '../../limits/request-bodies.ts';
import type { MemoryReservation } from '../../limits/memory-limiter.ts';
import { isForm } from '../forms/receive-form.ts';
import { FormFieldFinder } from './form-field.ts';
import type { FormField } from './form-field.ts';
import { JsonMembers } from './json-members.ts';
import type { JsonMember } from './json-members.ts';
import { isRegularFormType } from './part-headers.ts';

/** The model that a body names. */
export interface NamedModel {
  readonly name: string;
  /** Offsets of the value of the name in the body. */
  readonly start: number;
  readonly end: number;
  /** Encodes another name to replace it. */
  readonly encode: (name: string) => Uint8Array;
}

/** The charset is UTF-8, as JSON requires it. */
const regularJsonType = /^application\/(?:[\w.-]+\+)?json(?: *; *charset="?utf-8"?)?$/i;

/** Longer names cannot be model IDs. */
const maxNameBytes = 1024;

/**
 * Finds the model in a stream of bytes, all of which must be passed to it. Returns it with the chunk in which it ends.
 *
 * @throws a 400 if the body could name another model, depending on its parser: the upstream would use one that was not checked.
 */
export type ModelFinder = (chunk: Uint8Array) => NamedModel | undefined;

/** @returns undefined for a body in which no model can be found: any but JSON and forms. */
export function createModelFinder(header: (name: string) => string | null): ModelFinder | undefined {
  const contentType = header('content-type') ?? '';
  if (header('content-encoding') !== null) return undefined;
  if (isForm(contentType)) {
    const finder = FormFieldFinder.create(contentType, 'model', maxNameBytes);
    return (chunk) => {
      const found = finder?.write(chunk);
      if (finder?.isAmbiguous === true) throw ambiguousModel();
      return found && formModel(found);
    };
  }
  if (!isJsonType(contentType)) return undefined;
  // In other encodings, the bytes of one string can look like members. Zero bytes occur only in UTF-16 and UTF-32.
  const charsets = contentType.toLowerCase().matchAll(/;\s*charset\s*=\s*"?([^\s;"]*)/g);
  if (![...charsets].every(([, charset]) => charset === 'utf-8' || charset === 'us-ascii')) return undefined;
  const members = new JsonMembers(['model'], maxNameBytes);
  return (chunk) => {
    if (chunk.includes(0)) throw invalid(null, 'The request body contains a zero byte: JSON must be encoded in UTF-8.');
    const found = members.write(chunk);
    if (members.isAmbiguous) throw ambiguousModel();
    return found.map(jsonModel).find((model) => model !== undefined);
  };
}

function jsonModel({ text, start, end }: JsonMember): NamedModel | undefined {
  const name = parseString(text);
  return name === undefined
    ? undefined
    : {
        name,
        start,
        end,
        encode: (other) => Buffer.from(JSON.stringify(other)),
      };
}

function formModel({ text, start, end }: FormField): NamedModel {
  return { name: text, start, end, encode: (name) => Buffer.from(name) };
}

/** Whether a content type is JSON, of any charset. */
export function isJsonType(contentType: string): boolean {
  return /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/**
 * A finder for requests whose model has to be known with certainty, since the key may not use every model, or has to pay for it: bodies that
 * parsers could read in different ways are refused.
 *
 * @throws a 415 for a body in which no model can be read: of another type, charset or content coding than JSON and forms in UTF-8.
 */
export function createCertainModelFinder(header: (name: string) => string | null): ModelFinder {
  const encoding = header('content-encoding');
  if (encoding !== null) throw unsupportedEncoding(encoding);
  const contentType = (header('content-type') ?? '').trim();
  if (isRegularFormType(contentType)) return formFinder(contentType);
  if (!regularJsonType.test(contentType)) throw unsupportedContentType('application/json or multipart/form-data');
  const members = new JsonMembers(['model'], maxNameBytes);
  return (chunk) => {
    const [found] = members.write(chunk);
    if (!isCertain(members) || chunk.includes(0)) throw uncertainModel();
    const model = found && jsonModel(found);
    if (found && !model) throw uncertainModel();
    return model;
  };
}

function formFinder(contentType: string): ModelFinder {
  const finder = FormFieldFinder.create(contentType, 'model', maxNameBytes);
  if (!finder) throw unsupportedContentType('multipart/form-data');
  return (chunk) => {
    const found = finder.write(chunk);
    if (!isCertain(finder)) throw uncertainModel();
    return found && formModel(found);
  };
}

function isCertain(finder: Pick<JsonMembers, 'isAmbiguous' | 'isRegular' | 'hasUnreported'>): boolean {
  return !finder.isAmbiguous && finder.isRegular && !finder.hasUnreported;
}

export function uncertainModel(): RequestError {
  const message =
    'The model of this request cannot be read with certainty, and this key may not use every model. Send JSON or a form that names it once, as text.';
  return new RequestError(message, {
    status: 403,
    code: 'model_not_allowed',
    param: 'model',
  });
}

export function ambiguousModel(): RequestError {
  return invalid('model', "Ambiguous parameter: 'model'. The request must name the model once.");
}

function parseString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a body, up to the chunk in which its model ends, and the rest. */
export interface BufferedBody {
  readonly model: NamedModel | undefined;
  /** In memory. */
  readonly beginning: Uint8Array;
  readonly rest: AsyncIterator<Uint8Array>;
  readonly find: ModelFinder;
}

/**
 * Reads a body until its model is found. What is read is kept, and reserved before.
 *
 * @throws a 413 when the model is not among the first `maxBytes`, a 503 when there is no memory for them, and what the body throws.
 */
export async function readUntilModel(
  body: AsyncIterable<Uint8Array>,
  find: ModelFinder,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: MemoryReservation },
): Promise<BufferedBody> {
  const rest = body[Symbol.asyncIterator]();
  const chunks = createChunkBuffer();
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const chunk = next.value;
    if (chunks.length + chunk.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    memory.add(chunk.byteLength);
    chunks.add(chunk);
    const model = find(chunk);
    if (model) return { model, beginning: chunks.join(), rest, find };
  }
  return { model: undefined, beginning: chunks.join(), rest, find };
}

/** The complete body, with the model renamed if a name is given. The memory of its beginning is released once it was read. */
export async function* replayBody(
  { model, beginning, rest, find }: BufferedBody,
  rename: string | undefined,
  memory: MemoryReservation,
): AsyncGenerator<Uint8Array, void, undefined> {
  let hasEnded = false;
  try {
    if (model && rename !== undefined) {
      yield* inPieces(beginning.subarray(0, model.start));
      yield model.encode(rename);
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

/** Bytes that are passed on in one turn of the event loop: those of one read of a socket. */
const pieceBytes = 64 * 1024;

/** Passes bytes on with a turn of the event loop after each piece, as if they arrived now: they are read again for the limits of the request. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    if (at > 0) await yieldToEventLoop();
    yield bytes.subarray(at, at + pieceBytes);
  }
}

/** Passes a body on, and reports its model when it is found. */
export async function* observeModel(
  body: AsyncIterable<Uint8Array>,
  find: ModelFinder,
  onModel: (name: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    const model = find(chunk);
    if (model) onModel(model.name);
    yield chunk;
  }
}
