import { FILE_MAX_BYTES } from '@modelwire/schema';
import { unknownParameter } from '@modelwire/schema/internal';
import type { FileField } from '@modelwire/schema';
import { bodyTooLarge, fileTooLarge, invalid, invalidField } from '../../errors.ts';
import type { BodyTimeouts } from '../../limits/body-timeouts.ts';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';
import { withBodyTimeouts } from '../../limits/body-timeouts.ts';
import { decodeText } from '../read-body.ts';
import type { BusboyInstance } from '@fastify/busboy';
import type { Readable } from 'node:stream';

/** Limits of a form, apart from its files. */
export const formLimits = {
  /** Bytes of a part's headers. */
  headerSize: 16 * 1024,
  headerPairs: 32,
  parts: 64,
};

const maxFieldBytes = 256 * 1024;

/** Bytes of everything but files: text fields, headers, boundaries, preamble and epilogue. */
const formOverhead = 1024 * 1024;

interface FormSource {
  readonly contentType: string;
  /** As declared by the client. */
  readonly contentLength: string | null;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormRules<Stored> extends BodyTimeouts {
  /** The files that the form may have. Others are refused. */
  readonly files: readonly FileField[];
  /** Names of text fields, for the error if a file is sent instead. */
  readonly textNames: readonly string[];
  /** Stores a file as it arrives. If it throws, the form is refused with its error. */
  readonly storeFile: (file: FormFile) => Promise<Stored>;
  /** Validates the text fields so far, before a file is stored. @throws the error to refuse the form with. */
  readonly check: (fields: readonly (readonly [string, string])[]) => void;
  /** Stops reading. */
  readonly signal: AbortSignal;
}

/** A file of a form that is being received. */
interface FormFile {
  readonly field: string;
  /** The declared filename: any text. */
  readonly filename: string;
  /** In lower case, without parameters; `text/plain` if the client declared none (RFC 7578). */
  readonly mediaType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Form<Stored> {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: ReadonlyMap<string, Stored>;
}

/**
 * Reads a form as it arrives: text fields are collected, each file is passed to `storeFile`. A part is a file if it has a filename, or if its
 * name is that of a file. Names and text are UTF-8; a leading byte order mark of text is skipped, as in JSON bodies. Reads no faster than files
 * are stored, and holds only a few chunks in memory. If the form is refused, the rest of the body is not read, and every `storeFile` has ended
 * before this rejects.
 *
 * @throws a 400, 408 or 413, what `storeFile` threw, or the signal's reason.
 */
export async function readForm<Stored>(source: FormSource, rules: FormRules<Stored>): Promise<Form<Stored>> {
  const maxBytes = maxFormBytes(rules.files);
  assertContentLength(source.contentLength, rules.files, maxBytes);
  const parser = await createParser(source.contentType);
  const fields: [string, string][] = [];
  const files = new Map<string, Stored>();
  /** The part that is being read, and those whose headers have arrived since. */
  const parts: Part[] = [];
  const state: { failure: Error | undefined; isParsed: boolean } = { failure: undefined, isParsed: false };
  let onPart: (() => void) | undefined;
  let onWritten: (() => void) | undefined;

  /** Nothing more is parsed; the bytes of parts may still have to be read. */
  function endParsing(): void {
    state.isParsed = true;
    onWritten?.();
    onPart?.();
  }
  function fail(thrown: unknown): void {
    if (state.failure) return;
    const failure = thrown instanceof Error ? thrown : new Error('a form could not be read', { cause: thrown });
    state.failure = failure;
    for (const { stream } of parts) stream.destroy(failure);
    endParsing();
    parser.destroy();
  }
  const failParsing = (error: Error): void => {
    if (!state.isParsed) fail(error);
  };
  parser.on('file', (name: Name, stream: Readable, filename: Name, _encoding: string, mediaType: string) => {
    // Readers of the stream see the error in their iteration; a stream without a reader needs a listener.
    stream.on('error', () => undefined);
    if (state.isParsed) stream.destroy();
    else parts.push({ name, filename, mediaType: mediaType || undefined, stream });
    onPart?.();
  });
  parser.on('partsLimit', () => failParsing(tooManyParts()));
  parser.on('error', () => failParsing(malformedForm()));
  parser.on('finish', endParsing);

  /** Resolves when more bytes can be written, or nothing more is parsed. */
  function write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      onWritten = resolve;
      try {
        if (state.isParsed) resolve();
        else parser.write(bytes, () => resolve());
      } catch {
        failParsing(malformedForm());
      }
    });
  }
  async function writeBody(): Promise<void> {
    let total = 0;
    try {
      for await (const bytes of withBodyTimeouts(source.bytes, rules, timeout, signal)) {
        if (state.failure) return;
        total += bytes.byteLength;
        if (total > maxBytes) throw bodyTooLarge(maxBytes);
        await write(bytes);
      }
      if (!state.isParsed) parser.end();
    } catch (error) {
      fail(error);
    }
  }
  async function receivePart({ name, filename, mediaType, stream }: Part): Promise<void> {
    if (name === undefined) throw missingPartName();
    if (hasReplacementCharacter(name)) throw notUtf8('The name of a field', null);
    const shortName = name.slice(0, 100);
    if (filename !== undefined && hasReplacementCharacter(filename))
      throw notUtf8(`The filename of '${shortName}'`, shortName);
    const definition = rules.files.find((file) => file.name === name);
    if (filename === undefined && !definition) {
      fields.push([name, await readText(name, stream)]);
      return;
    }
    if (!definition) throw unknownFile(name, rules);
    if (files.has(name)) throw duplicateParameter(name);
    rules.check(fields);
    const { maxBytes: max = FILE_MAX_BYTES } = definition;
    const bytes = limitBytes(stream, max, () => {
      const error = fileTooLarge(name, max);
      fail(error);
      return error;
    });
    files.set(name, await rules.storeFile({ field: name, filename: filename || name, mediaType, bytes }));
  }

  const timeout = new AbortController();
  const signal = AbortSignal.any([rules.signal, timeout.signal]);
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const writing = writeBody();
  try {
    while (!state.failure && !(state.isParsed && parts.length === 0)) {
      const [part] = parts;
      if (part) {
        await receivePart(part);
        parts.shift();
      } else await new Promise<void>((resolve) => (onPart = resolve));
    }
    // The epilogue belongs to the request, too.
    if (!state.failure) await writing;
  } catch (error) {
    fail(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    timeout.abort();
  }
  if (state.failure) throw state.failure;
  for (const { name, required } of rules.files) if (required && !files.has(name)) throw missingFile(name);
  return { fields, files };
}

async function* limitBytes(stream: AsyncIterable<Uint8Array>, max: number, exceeded: () => Error) {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > max) throw exceeded();
    yield chunk;
  }
}

function maxFormBytes(files: readonly FileField[]): number {
  return files.reduce((sum, { maxBytes = FILE_MAX_BYTES }) => sum + maxBytes, formOverhead);
}

/** Refuses a body that is too large by its declared length, before it is sent. */
function assertContentLength(declared: string | null, files: readonly FileField[], maxBytes: number): void {
  if (declared === null || Number(declared) <= maxBytes) return;
  const [only, ...others] = files;
  throw only && others.length === 0 ? fileTooLarge(only.name, only.maxBytes ?? FILE_MAX_BYTES) : bodyTooLarge(maxBytes);
}

const missingFile = (name: string) =>
  invalid(name, `Missing required parameter: '${name}', a file.`, 'missing_required_parameter');
const duplicateParameter = (name: string) => invalid(name, `The parameter '${name}' is given more than once.`);
const invalidType = (name: string, expected: string, actual: string) =>
  invalid(name, `Invalid type for '${name}': expected ${expected}, but got ${actual} instead.`, 'invalid_type');

function unknownFile(name: string, { files, textNames }: Pick<FormRules<unknown>, 'files' | 'textNames'>) {
  const shortName = name.slice(0, 100);
  const parameter = /^[^[]*/.exec(name)?.[0] ?? name;
  return textNames.includes(parameter)
    ? invalidType(shortName, 'text', 'a file')
    : invalidField(unknownParameter([], shortName, [...files.map((file) => file.name), ...textNames]));
}

/** The types of the library omit that a part may have no name. */
type Name = string | undefined;

interface Part extends Pick<FormFile, 'mediaType'> {
  readonly name: Name;
  readonly filename: Name;
  readonly stream: Readable;
}

/** @throws a 400 if the content type has no usable boundary. */
async function createParser(contentType: string): Promise<BusboyInstance> {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  // RFC 2046: 1 to 70 characters. Some clients use more.
  if (length < 1 || length > 200) throw missingBoundary();
  // Loaded with the first form: runtimes without Node's streams can serve everything else.
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      // Every part arrives as bytes: the library would replace invalid UTF-8 in text.
      isPartAFile: () => true,
      limits: formLimits,
    });
  } catch {
    throw missingBoundary();
  }
}

async function readText(name: string, stream: AsyncIterable<Uint8Array>): Promise<string> {
  const text = new ChunkBuffer();
  for await (const chunk of limitBytes(stream, maxFieldBytes, () => fieldTooLong(name))) text.add(chunk);
  return decodeText(text.join(), `The field '${name.slice(0, 100)}'`, name.slice(0, 100));
}

/** The library has decoded the names: U+FFFD replaces invalid UTF-8. */
const hasReplacementCharacter = (text: string) => text.includes('\uFFFD');

const missingBoundary = () =>
  invalid('Content-Type', "Invalid header 'Content-Type': a multipart form needs a boundary of 1 to 200 characters.");
const malformedForm = () =>
  invalid(null, 'The request body is not a valid multipart form: it is truncated or malformed.', 'invalid_form');
const missingPartName = () => invalid(null, 'A part of the form has no name.', 'invalid_form');
const notUtf8 = (what: string, param: string | null) =>
  invalid(param, `${what} is not valid UTF-8.`, 'invalid_encoding');
const tooManyParts = () => invalid(null, 'The form has too many parts.', 'request_too_complex');
const fieldTooLong = (name: string) =>
  invalid(
    name.slice(0, 100),
    `The field '${name.slice(0, 100)}' is longer than ${maxFieldBytes} bytes.`,
    'string_above_max_length',
  );
