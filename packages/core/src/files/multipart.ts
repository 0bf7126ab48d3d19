import type { BodySource } from '../transport/body.ts';
import { readChunks, toStream } from '../streams/chunks.ts';
import type { Timeouts } from '../transport/options.ts';

/** Bytes that are read while they are sent. */
export interface FileSource {
  /**
   * The bytes. A function is called at each attempt; a request with a stream is not retried, since a stream can be read only once.
   */
  readonly stream: (() => ReadableStream<Uint8Array>) | ReadableStream<Uint8Array>;
  /** Media type. Default `application/octet-stream`. */
  readonly type?: string | undefined;
}

/** A file of a form. A `File` needs no `filename`. */
export interface FormFile {
  readonly data: Blob | FileSource;
  readonly filename: string;
}

export type FormValue = string | number | boolean | Blob | FormFile | null | undefined;

/** An inner record becomes `name[key]`; `undefined` and `null` are left out. Put files last, so that servers know the other fields first. */
export type FormFields = Readonly<Record<string, FormValue | Readonly<Record<string, string | number>>>>;

/**
 * Encodes a form as a body. It is read piece by piece while it is sent: memory does not grow with its files. Returns a `Blob`
 * unless a field is a stream: its length is known, and it takes half the time of a `FormData`.
 */
export function encodeForm(fields: FormFields): Blob | BodySource {
  // Lower case, as the type of a Blob always is.
  const boundary = `form-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}`;
  const type = `multipart/form-data; boundary=${boundary}`;
  const pieces: (string | Blob | FileSource)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') addText(name, value);
    else if (isBlob(value)) addFile(name, value, 'name' in value ? String(value.name) : 'blob');
    else if (isFile(value)) addFile(name, value.data, value.filename);
    else for (const [key, inner] of Object.entries(value)) addText(`${name}[${key}]`, inner);
  }
  pieces.push(`--${boundary}--\r\n`);

  const blobParts = pieces.filter((piece) => typeof piece === 'string' || isBlob(piece));
  if (blobParts.length === pieces.length) return new Blob(blobParts, { type });
  const streams = pieces.flatMap((piece) =>
    typeof piece === 'object' && typeof piece.stream === 'object' ? [piece.stream] : [],
  );
  return {
    type,
    isSingleUse: streams.length > 0,
    stream(signal, fail) {
      // Cancels the streams that have not been read yet; the reader of the current one handles its own.
      const cancel = (): void => {
        for (const stream of streams) if (!stream.locked) void stream.cancel(signal.reason).catch(() => undefined);
      };
      if (streams.length > 0) signal.addEventListener('abort', cancel);
      return toStream(readPieces(pieces, signal, fail));
    },
  };

  function addText(name: string, value: string | number | boolean): void {
    pieces.push(`${partHeader(name)}\r\n\r\n${String(value)}\r\n`);
  }

  function addFile(name: string, data: Blob | FileSource, filename: string): void {
    const mediaType = data.type === undefined || data.type === '' ? 'application/octet-stream' : data.type;
    const media = mediaType.replace(/[^\x20-\x7e]/g, '');
    pieces.push(
      `${partHeader(name)}; filename="${escapeName(filename)}"\r\ncontent-type: ${media}\r\n\r\n`,
      data,
      '\r\n',
    );
  }

  function partHeader(name: string): string {
    return `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(name)}"`;
  }
}

/** Timeouts of a call that sends this many bytes: 10 minutes, plus the time that they take at 100 kB/s. */
export function uploadTimeouts(bytes: number): Timeouts {
  const ms = 600_000 + bytes / 100;
  return { headers: ms, total: ms };
}

async function* readPieces(
  pieces: readonly (string | Blob | FileSource)[],
  signal: AbortSignal,
  fail: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const utf8 = new TextEncoder();
  try {
    for (const piece of pieces) {
      if (typeof piece === 'string') yield utf8.encode(piece);
      else yield* readChunks(typeof piece.stream === 'function' ? piece.stream() : piece.stream, signal);
    }
  } catch (error) {
    fail(error);
    throw error;
  }
}

/** Escapes a name as browsers do, so that it cannot end its header. */
function escapeName(name: string): string {
  return name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22');
}

/** Checks members instead of instanceof, so that a `Blob` of another realm matches. */
function isBlob(value: object): value is Blob {
  return 'slice' in value && 'size' in value;
}

function isFile(value: object): value is FormFile {
  return 'data' in value && typeof value.data === 'object';
}
