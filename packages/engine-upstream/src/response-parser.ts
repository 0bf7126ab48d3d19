import { ChunkedBody } from './chunked-body.ts';
import type { ReplyHeaders } from './exchange.ts';

/** What the status line and the headers of a reply say. */
interface Head {
  readonly text: string;
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Whether the connection is kept open unless the headers say otherwise: HTTP/1.1. */
  readonly isPersistent: boolean;
}

/** Is told of the parts of the replies of a connection as they arrive. */
export interface ResponseListener {
  /** Also called for interim replies, of status 1xx. */
  onHeaders(status: number, headers: ReplyHeaders): void;
  onData(bytes: Buffer): void;
  /** `isReusable`: whether the connection may be used for another request. */
  onComplete(isReusable: boolean): void;
}

/** What came is no reply of HTTP/1.1 to a POST. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The status line and all headers of a reply, or of an interim one, may have as many bytes: as many as Node itself takes. */
const maxHeadBytes = 16 * 1024;

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Everything that is no text of a header: line ends other than CR LF, and control characters other than tabs. */
const illegal = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;

/**
 * Reads the replies to POST requests of one connection (RFC 9112). It is strict, since whoever takes a malformed reply for a good one may take the
 * rest of it for the reply to the next request: a line without CR LF, a folded header, two lengths, or a length beside chunks is refused.
 */
export class ResponseParser {
  readonly #listener: ResponseListener;
  #reading: 'head' | 'length' | 'chunks' | 'rest' = 'head';
  /** The beginning of a head of which the end has not arrived. */
  #begun: Buffer | undefined;
  /** The last one: many servers send the same headers with all replies of a second. */
  #head: Head | undefined;
  #left = 0;
  #chunks: ChunkedBody | undefined;
  #isReusable = false;
  #isComplete = false;

  constructor(listener: ResponseListener) {
    this.#listener = listener;
  }

  /** @throws MalformedResponse, or MalformedChunks; also after a complete reply, when something follows it. */
  push(bytes: Buffer): void {
    let rest = bytes;
    this.#isComplete = false;
    while (rest.length > 0) rest = this.#read(rest);
  }

  /** The other side has ended the connection: completes a body that has no other end. */
  end(): void {
    if (this.#reading === 'rest') this.#complete();
  }

  /** Returns what is left of the bytes. */
  #read(bytes: Buffer): Buffer {
    if (this.#isComplete) throw new MalformedResponse();
    return this.#reading === 'head' ? this.#readHead(bytes) : this.#readBody(bytes);
  }

  /** Returns what follows the head. */
  #readHead(bytes: Buffer): Buffer {
    const all = this.#begun ? Buffer.concat([this.#begun, bytes]) : bytes;
    const end = all.indexOf('\r\n\r\n');
    if (end === -1 ? all.length > maxHeadBytes : end > maxHeadBytes) throw new MalformedResponse();
    if (end === -1) {
      // Another protocol may wait for more from us: it is refused at once.
      const begun = all.toString('latin1');
      const version = 'HTTP/1.';
      if (!begun.startsWith(version.slice(0, begun.length)) || illegal.test(begun.replace(/\r$/, '')))
        throw new MalformedResponse();
      this.#begun = all;
      return all.subarray(all.length);
    }
    this.#begun = undefined;
    this.#parseHead(all.toString('latin1', 0, end));
    return all.subarray(end + 4);
  }

  #parseHead(text: string): void {
    if (this.#head?.text !== text) this.#head = parseHead(text);
    const { status, headers, isPersistent } = this.#head;
    if (status >= 200) this.#frame(status, headers, isPersistent);
    this.#listener.onHeaders(status, headers);
    if (status >= 200 && this.#reading === 'length' && this.#left === 0) this.#complete();
  }

  /** Decides how the body ends (RFC 9112, section 6.3), and whether the connection can be used again. */
  #frame(status: number, headers: ReplyHeaders, isPersistent: boolean): void {
    const { connection, 'content-length': length, 'transfer-encoding': encoding } = headers;
    this.#isReusable = isPersistent ? !hasOption(connection, 'close') : hasOption(connection, 'keep-alive');
    if (encoding !== undefined) {
      if (length !== undefined || typeof encoding !== 'string' || encoding.toLowerCase() !== 'chunked')
        throw new MalformedResponse();
      // HTTP/1.0 has no chunks: whoever passed the reply on may have read another end of it (RFC 9112, section 6.1).
      if (!isPersistent) this.#isReusable = false;
    }
    if (length !== undefined && (typeof length !== 'string' || !/^\d{1,15}$/.test(length)))
      throw new MalformedResponse();
    if (status === 204 || status === 304) {
      // Such replies have no body. If one is announced nevertheless, it may follow.
      if (encoding !== undefined || Number(length ?? 0) > 0) this.#isReusable = false;
      this.#reading = 'length';
      this.#left = 0;
    } else if (encoding !== undefined) {
      this.#reading = 'chunks';
      this.#chunks = new ChunkedBody();
    } else if (length !== undefined) {
      this.#reading = 'length';
      this.#left = Number(length);
    } else {
      this.#reading = 'rest';
      this.#isReusable = false;
    }
  }

  /** Returns what follows the body. */
  #readBody(bytes: Buffer): Buffer {
    if (this.#chunks) {
      const data = this.#chunks.decode(bytes);
      const { consumed, isComplete } = this.#chunks;
      if (data.length > 0) this.#listener.onData(data);
      if (isComplete) this.#complete();
      return bytes.subarray(consumed);
    }
    if (this.#reading === 'rest') {
      this.#listener.onData(bytes);
      return bytes.subarray(bytes.length);
    }
    const size = Math.min(this.#left, bytes.length);
    this.#left -= size;
    this.#listener.onData(size === bytes.length ? bytes : bytes.subarray(0, size));
    if (this.#left === 0) this.#complete();
    return bytes.subarray(size);
  }

  #complete(): void {
    this.#reading = 'head';
    this.#chunks = undefined;
    this.#isComplete = true;
    this.#listener.onComplete(this.#isReusable);
  }
}

/** @throws MalformedResponse */
function parseHead(text: string): Head {
  if (illegal.test(text)) throw new MalformedResponse();
  const lines = text.split('\r\n');
  const [, minor, digits] = statusLine.exec(lines[0] ?? '') ?? [];
  if (digits === undefined) throw new MalformedResponse();
  return { text, status: Number(digits), headers: parseHeaders(lines), isPersistent: minor === '1' };
}

/** The headers in the lines after the first. */
function parseHeaders(lines: readonly string[]): ReplyHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!headerName.test(name)) throw new MalformedResponse();
    const value = withoutSpace(line, colon + 1);
    const lower = name.toLowerCase();
    const before = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
    if (before === undefined) headers[lower] = value;
    else if (typeof before === 'string') headers[lower] = [before, value];
    else before.push(value);
  }
  return headers;
}

/** Whether a header `connection` has an option. */
function hasOption(connection: string | string[] | undefined, option: string): boolean {
  if (connection === undefined || connection === option) return connection === option;
  const options = String(connection).toLowerCase().split(',');
  return options.some((each) => each.trim() === option);
}

/** The text from `from` on without spaces and tabs around it. */
function withoutSpace(line: string, from: number): string {
  let begin = from;
  let end = line.length;
  while (begin < end && isSpace(line.charCodeAt(begin))) begin++;
  while (end > begin && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(begin, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
