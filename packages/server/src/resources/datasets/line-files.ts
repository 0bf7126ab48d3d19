import type { BlobSegment } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { createBlobWriter } from '../../media/files/blob-writer.ts';
import type { BlobWriter } from '../../media/files/blob-writer.ts';

/** Bytes that are collected before they are written. */
const pieceLength = 64 * 1024;

/** A file of lines whose bytes are stored. */
export interface LineFile<Part> {
  readonly part: Part;
  readonly lines: number;
  readonly segment: BlobSegment;
}

interface OpenFile {
  readonly writer: BlobWriter;
  lines: number;
  bytes: number;
  pending: string;
}

interface FileLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** Files that are written line by line, one for each part. A file that is full is followed by another one. */
export class LineFiles<Part> {
  readonly #server: Pick<ServerContext, 'options'>;
  readonly #signal: AbortSignal;
  readonly #limits: FileLimits;
  readonly #writers: BlobWriter[] = [];
  readonly #open = new Map<Part, OpenFile>();
  readonly #closed: LineFile<Part>[] = [];

  constructor(
    server: Pick<ServerContext, 'options'>,
    signal: AbortSignal,
    limits: FileLimits = { maxLines: Infinity, maxBytes: Infinity },
  ) {
    this.#server = server;
    this.#signal = signal;
    this.#limits = limits;
  }

  async add(part: Part, line: string): Promise<void> {
    const bytes = Buffer.byteLength(line) + 1;
    const file = await this.#fileFor(part, bytes);
    file.lines++;
    file.bytes += bytes;
    file.pending += `${line}\n`;
    if (file.pending.length >= pieceLength) await flush(file);
  }

  /** The files by part, in the order of `parts`. A part without lines has none. */
  async close(parts: readonly Part[]): Promise<readonly LineFile<Part>[]> {
    for (const [part, file] of this.#open) await this.#close(part, file);
    return parts.flatMap((part) => this.#closed.filter((file) => file.part === part));
  }

  async discard(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.discard()));
  }

  async #fileFor(part: Part, bytes: number): Promise<OpenFile> {
    const { maxLines, maxBytes } = this.#limits;
    const open = this.#open.get(part);
    if (open && open.lines < maxLines && open.bytes + bytes <= maxBytes) return open;
    if (open) await this.#close(part, open);
    const file = { writer: createBlobWriter(this.#server, this.#signal), lines: 0, bytes: 0, pending: '' };
    this.#writers.push(file.writer);
    this.#open.set(part, file);
    return file;
  }

  async #close(part: Part, file: OpenFile): Promise<void> {
    this.#open.delete(part);
    await flush(file);
    this.#closed.push({ part, lines: file.lines, segment: await file.writer.close() });
  }
}

async function flush(file: OpenFile): Promise<void> {
  const { pending } = file;
  file.pending = '';
  if (pending !== '') await file.writer.write(new TextEncoder().encode(pending));
}
