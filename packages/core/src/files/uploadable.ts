import { toStream } from '../streams/chunks.ts';
import type { FileSource, FormFile } from './multipart.ts';

/** A stream of bytes: of Node (`fs.createReadStream`), or a web stream. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Path of the file that it reads; its last segment is the filename. */
  readonly path?: string | Uint8Array | undefined;
}

/** A file of a form. A call with a stream or a `Response` is not retried, since these can be sent only once. */
export type Uploadable = Blob | FileSource | ByteStream | Response;

/** The file of a form. Its name is `name`, else that of the `File`, or of the file that a stream reads, else `blob`. */
export function toFormFile(file: Uploadable, name?: string): Blob | FormFile {
  const data = toSource(file);
  const filename = name ?? ('path' in file ? basename(file.path) : undefined);
  return filename === undefined && 'slice' in data ? data : { data, filename: filename ?? 'blob' };
}

function toSource(file: Uploadable): Blob | FileSource {
  if (Symbol.asyncIterator in file) return { stream: toStream(file) };
  if (!('headers' in file)) return file;
  const type = file.headers.get('content-type') ?? undefined;
  return file.body === null ? new Blob([]) : { stream: file.body, type };
}

function basename(path: ByteStream['path']): string | undefined {
  return typeof path === 'string' ? path.split(/[\\/]/).pop() : undefined;
}
