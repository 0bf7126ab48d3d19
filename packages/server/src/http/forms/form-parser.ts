import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { invalid } from '../../errors.ts';
import { createChunkBuffer } from '../../chunk-buffer.ts';
import { decodeText } from '../decode-body.ts';
import { formLimits, maxFieldBytes } from './form-limits.ts';

/** The types of the library omit that a part may have no name. */
type Name = string | undefined;

/** Events of a form parser. None follows `failed`. */
export interface FormEvents {
  field(name: string, value: string): void;
  file(file: IncomingFile): void;
  /** The form is invalid or exceeds a limit. */
  failed(error: unknown): void;
  /** All parts have been reported; the bytes of files may still have to be read. */
  ended(): void;
}

/** A file of a form that is being received. */
export interface IncomingFile {
  readonly field: string;
  /** The declared filename: any text. */
  readonly filename: string;
  /** In lower case, without parameters; `text/plain` if the client declared none (RFC 7578). */
  readonly mediaType: string | undefined;
  readonly stream: Readable;
}

export interface FormParser {
  /** Resolves when more bytes can be written, or the parser has ended. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  destroy(): void;
}

/**
 * Parses `multipart/form-data` as it arrives. A part is a file if it has a filename, or if its name is one of `fileNames`.
 *
 * Names and text are UTF-8; a leading byte order mark of text is skipped, as in JSON bodies.
 *
 * @throws a 400 if the content type has no usable boundary.
 */
export function openFormParser(contentType: string, fileNames: ReadonlySet<string>, events: FormEvents): FormParser {
  const parser = createParser(contentType);
  let hasEnded = false;
  let resolveWrite: (() => void) | undefined;

  function fail(error: unknown): void {
    if (hasEnded) return;
    hasEnded = true;
    events.failed(error);
    resolveWrite?.();
  }
  // Text is complete only when its stream has ended, which can be after the next part began.
  let eventQueue = Promise.resolve();
  parser.on('file', (name: Name, stream: Readable, filename: Name, _encoding: string, mediaType: string) => {
    // Readers of the stream see the error in their iteration; a stream without a reader needs a listener.
    stream.on('error', () => undefined);
    if (hasEnded) stream.destroy();
    else if (name === undefined) fail(missingPartName());
    else if (hasReplacementCharacter(name)) fail(notUtf8('The name of a field', null));
    else if (filename !== undefined && hasReplacementCharacter(filename))
      fail(notUtf8(`The filename of '${name.slice(0, 100)}'`, name.slice(0, 100)));
    else if (filename === undefined && !fileNames.has(name)) {
      const text = readText(name, stream, fail);
      eventQueue = eventQueue.then(async () => {
        const value = await text;
        if (!hasEnded) events.field(name, value);
      });
    } else {
      const file = { field: name, filename: filename || name, mediaType: mediaType || undefined, stream };
      eventQueue = eventQueue.then(() => {
        if (hasEnded) stream.destroy();
        else events.file(file);
      });
    }
  });
  parser.on('partsLimit', () => fail(tooManyParts()));
  parser.on('error', () => fail(malformedForm()));
  parser.on('finish', () => {
    void eventQueue.then(() => {
      if (hasEnded) return;
      hasEnded = true;
      events.ended();
      resolveWrite?.();
    });
  });
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (hasEnded) {
          resolve();
          return;
        }
        resolveWrite = resolve;
        try {
          parser.write(bytes, () => resolve());
        } catch {
          fail(malformedForm());
        }
      }),
    end() {
      if (!hasEnded) parser.end();
    },
    destroy() {
      hasEnded = true;
      resolveWrite?.();
      parser.destroy();
    },
  };
}

function createParser(contentType: string): BusboyInstance {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  // RFC 2046: 1 to 70 characters. Some clients use more.
  if (length < 1 || length > 200) throw missingBoundary();
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

/** Reads a text field. Does not resolve when it failed. */
function readText(name: string, stream: Readable, fail: (error: unknown) => void): Promise<string> {
  return new Promise((resolve) => {
    const text = createChunkBuffer();
    stream.on('data', (chunk: Buffer) => {
      if (text.length + chunk.length > maxFieldBytes) fail(fieldTooLong(name));
      else text.add(chunk);
    });
    stream.on('end', () => {
      try {
        resolve(decodeText(text.join(), `The field '${name.slice(0, 100)}'`, name.slice(0, 100)));
      } catch (error) {
        fail(error);
      }
    });
  });
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
