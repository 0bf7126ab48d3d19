import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { invalid } from '../errors.ts';
import { formLimits } from './form-limits.ts';

/** Its types leave out that a part may have none. */
type Name = string | undefined;

/** What a parser tells of a form as it reads. Nothing more is told after `failed`. */
export interface FormEvents {
  field(name: string, value: string): void;
  file(file: SentFile): void;
  /** There were bounds that the form is beyond, or it is no form. */
  failed(error: Error): void;
  /** Every part has been told of; the bytes of files may still have to be read. */
  ended(): void;
}

/** A file in a form, while it is sent. */
export interface SentFile {
  readonly field: string;
  /** What the sender calls it: any text. */
  readonly filename: string;
  /** In lower case, without parameters; `text/plain` where the sender did not say (RFC 7578). */
  readonly mediaType: string | undefined;
  readonly stream: Readable;
}

export interface FormParser {
  /** Resolves when there is room for more, or when there is no point in it. */
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
  destroy(): void;
}

/**
 * Parses `multipart/form-data` as it comes. A part is a file when it has a filename, or when its name is one of `fileNames`.
 *
 * @throws a 400 when the content type has no usable boundary.
 */
export function openFormParser(contentType: string, fileNames: ReadonlySet<string>, events: FormEvents): FormParser {
  const parser = open(contentType, fileNames);
  let over = false;
  let wake: (() => void) | undefined;

  function fail(error: Error): void {
    if (over) return;
    over = true;
    events.failed(error);
    wake?.();
  }
  parser.on('field', (name: Name, value: string, nameTruncated: boolean, valueTruncated: boolean) => {
    if (over) return;
    if (name === undefined) fail(nameless());
    else if (nameTruncated || valueTruncated) fail(tooLong(name));
    // A byte order mark is skipped, as in JSON bodies.
    else events.field(name, value.startsWith('\uFEFF') ? value.slice(1) : value);
  });
  parser.on('file', (name: Name, stream: Readable, filename: Name, _encoding: string, mediaType: string) => {
    // Whoever reads it learns of its end from the iteration; one that nobody reads any more may break off.
    stream.on('error', () => undefined);
    if (over) stream.destroy();
    else if (name === undefined) fail(nameless());
    else
      events.file({
        field: name,
        filename: filename === undefined || filename === '' ? name : filename,
        mediaType: mediaType === '' ? undefined : mediaType,
        stream,
      });
  });
  parser.on('partsLimit', () => fail(tooMany()));
  parser.on('filesLimit', () => fail(tooMany()));
  parser.on('fieldsLimit', () => fail(tooMany()));
  parser.on('error', () => fail(malformed()));
  parser.on('finish', () => {
    if (over) return;
    over = true;
    events.ended();
    wake?.();
  });
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (over) {
          resolve();
          return;
        }
        wake = resolve;
        try {
          parser.write(bytes, () => resolve());
        } catch {
          fail(malformed());
        }
      }),
    end() {
      if (!over) parser.end();
    },
    destroy() {
      over = true;
      wake?.();
      parser.destroy();
    },
  };
}

function open(contentType: string, fileNames: ReadonlySet<string>): BusboyInstance {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType);
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length;
  // RFC 2046: 1 to 70 characters. Some senders take more.
  if (length < 1 || length > 200) throw noBoundary();
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (name: Name, _type: Name, filename: Name) =>
        filename !== undefined || (name !== undefined && fileNames.has(name)),
      limits: formLimits,
    });
  } catch {
    throw noBoundary();
  }
}

const noBoundary = () =>
  invalid('Content-Type', "Invalid header 'Content-Type': a multipart form needs a boundary of 1 to 200 characters.");
const malformed = () =>
  invalid(null, 'The request body is not a whole multipart form: it ends too early or is broken.', 'invalid_form');
const nameless = () => invalid(null, 'A part of the form has no name.', 'invalid_form');
const tooMany = () => invalid(null, 'The form has too many parts.', 'request_too_complex');
const tooLong = (name: string) =>
  invalid(
    name.slice(0, 100),
    `The field '${name.slice(0, 100)}' is longer than ${formLimits.fieldSize} bytes.`,
    'string_above_max_length',
  );
