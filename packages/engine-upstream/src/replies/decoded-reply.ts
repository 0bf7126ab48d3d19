import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { TransportError, undecodableReply } from '../transport-error.ts';
import type { Reply, ReplyBody, ReplyHeaders } from '../exchange.ts';

/**
 * Maximum decoded bytes of a reply. A megabyte can be decoded to a gigabyte: nothing is decoded ahead of the reader, and this bounds what the
 * reader skips.
 */
const maxDecodedBytes = 256 * 1024 * 1024;
/** Maximum number of codings that are applied one after the other. */
const maxCodings = 3;

type CreateDecoder = (firstByte: number) => Transform;

const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Some servers send the raw format instead of zlib's, whose first byte names the method 8.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

/**
 * The reply without content codings (RFC 9110, section 8.4). None is accepted, but some intermediaries apply one nevertheless. Reading the body
 * throws a `TransportError` for an unknown coding and for bytes that cannot be decoded.
 */
export function decodedReply(reply: Reply): Reply {
  const codings = codingsOf(reply.headers);
  if (codings.length === 0) return reply;
  const { 'content-encoding': _, 'content-length': __, ...headers } = reply.headers;
  return { ...reply, headers, body: new DecodedBody(reply.body, codings) };
}

/** In the order in which they are to be decoded. */
function codingsOf({ 'content-encoding': header }: ReplyHeaders): readonly string[] {
  if (header === undefined) return [];
  const names = String(header).split(',');
  return names
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}

class DecodedBody implements ReplyBody {
  readonly #body: ReplyBody;
  readonly #codings: readonly string[];
  #decoded: AsyncGenerator<Buffer, void, undefined> | undefined;
  #chunks: readonly Buffer[] = [];
  #decodedBytes = 0;
  /** What the connection failed with, in contrast to the decoders. */
  #bodyError: Error | undefined;

  constructor(body: ReplyBody, codings: readonly string[]) {
    this.#body = body;
    this.#codings = codings;
  }

  async ready(): Promise<boolean> {
    if (this.#chunks.length > 0) return true;
    try {
      const { done, value } = await (this.#decoded ??= this.#decode()).next();
      if (done === true) return false;
      this.#decodedBytes += value.length;
      if (this.#decodedBytes > maxDecodedBytes) throw new TransportError('body', undecodableReply);
      this.#chunks = [value];
      return true;
    } catch (thrown) {
      this.cancel();
      throw (
        this.#bodyError ?? (thrown instanceof TransportError ? thrown : new TransportError('body', undecodableReply))
      );
    }
  }

  take(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  release(): void {
    this.#chunks = [];
    this.#body.release();
  }

  cancel(): void {
    this.#chunks = [];
    this.#body.cancel();
  }

  async *#decode(): AsyncGenerator<Buffer, void, undefined> {
    const encoded = this.#encoded();
    const first = await encoded.next();
    if (first.done === true) return;
    const [firstByte = 0] = first.value;
    const created = this.#codings.map((coding, index) => decoders.get(coding)?.(index === 0 ? firstByte : zlibByte));
    const transforms = created.filter((transform) => transform !== undefined);
    if (transforms.length < created.length || created.length > maxCodings)
      throw new TransportError('body', undecodableReply);
    const source = Readable.from(startingWith(first.value, encoded), { objectMode: false });
    const decoded = transforms.reduce<Readable>((from, to) => pipeline(from, to, ignoreError), source);
    for await (const chunk of decoded) if (Buffer.isBuffer(chunk)) yield chunk;
  }

  async *#encoded(): AsyncGenerator<Buffer, void, undefined> {
    try {
      while (await this.#body.ready()) yield* this.#body.take();
    } catch (thrown) {
      this.#bodyError = thrown instanceof Error ? thrown : new Error('the body failed', { cause: thrown });
      throw thrown;
    }
  }
}

/** The first byte of the zlib format, which is assumed inside of another coding. */
const zlibByte = 0x78;

/** The last stream fails with the same error. */
function ignoreError(): void {
  // Nothing to do.
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}
