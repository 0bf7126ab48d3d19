import { ChunkedBody } from './chunked-body.ts';
import type { ReplyHeaders } from './exchange.ts';

/** How the body of a reply ends, and whether the connection can be used again after it. */
interface Framing {
  readonly body: 'length' | 'chunks' | 'until-close';
  /** Bytes of the body, if it ends by its length. */
  readonly length: number;
  readonly isReusable: boolean;
}

/** What the status line and the headers of a reply say. */
interface Head {
  readonly text: string;
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Undefined for an interim reply. */
  readonly framing: Framing | undefined;
}

/** Receives the parts of the replies of a connection. */
export interface ResponseListener {
  /** Also called for interim replies, of status 1xx. */
  onHeaders(status: number, headers: ReplyHeaders): void;
  onData(bytes: Buffer): void;
  /** `isReusable`: whether the connection may be used for another request. */
  onComplete(isReusable: boolean): void;
}

/** Not a valid HTTP/1.1 reply to a POST request. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** Maximum size of the status line and the headers of a reply or an interim reply, the same as that of Node.js. */
const maxHeadBytes = 16 * 1024;

const cr = 0x0d;
const lf = 0x0a;

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
/** Characters that are not allowed in headers: line ends other than CR LF, and control characters other than tabs. */
const illegalCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;

/**
 * Parses the replies to POST requests on one connection (RFC 9112). It is strict, because the rest of a malformed reply could be taken for the
 * reply to the next request: rejects lines without CR LF, folded headers, two lengths, and a length together with chunks.
 */
export class ResponseParser {
  readonly #listener: ResponseListener;
  #state: 'head' | 'length' | 'chunks' | 'until-close' = 'head';
  /** The start of an incomplete head. */
  #partialHead: Buffer | undefined;
  /** The last one: many servers send the same headers with all replies of a second. */
  #lastHead: Head | undefined;
  #remaining = 0;
  #chunks: ChunkedBody | undefined;
  #isReusable = false;
  #isComplete = false;

  constructor(listener: ResponseListener) {
    this.#listener = listener;
  }

  /** @throws MalformedResponse or MalformedChunks; also for bytes after a complete reply. */
  push(bytes: Buffer): void {
    let at = 0;
    this.#isComplete = false;
    while (at < bytes.length) at = this.#read(bytes, at);
  }

  /** The server has closed the connection, which completes a body without a length. */
  end(): void {
    if (this.#state === 'until-close') this.#complete();
  }

  /** Reads what begins at `at`. Returns where it ends. */
  #read(bytes: Buffer, at: number): number {
    if (this.#isComplete) throw new MalformedResponse();
    return this.#state === 'head' ? this.#readHead(bytes, at) : this.#readBody(bytes, at);
  }

  #readHead(bytes: Buffer, at: number): number {
    const lastHead = this.#lastHead;
    if (lastHead && !this.#partialHead && startsWithHead(bytes, at, lastHead.text)) {
      this.#startReply(lastHead);
      return at + lastHead.text.length + 4;
    }
    const bufferedBytes = this.#partialHead?.length ?? 0;
    const all = this.#partialHead ? Buffer.concat([this.#partialHead, bytes.subarray(at)]) : bytes.subarray(at);
    const end = all.indexOf('\r\n\r\n');
    if (end === -1 ? all.length > maxHeadBytes : end > maxHeadBytes) throw new MalformedResponse();
    if (end === -1) {
      // Another protocol, which may wait for more input, is rejected immediately.
      const received = all.toString('latin1');
      const version = 'HTTP/1.';
      if (
        !received.startsWith(version.slice(0, received.length)) ||
        illegalCharacters.test(received.replace(/\r$/, ''))
      )
        throw new MalformedResponse();
      this.#partialHead = all;
      return bytes.length;
    }
    this.#partialHead = undefined;
    const head = parseHead(all.toString('latin1', 0, end));
    this.#lastHead = head;
    this.#startReply(head);
    return at + end + 4 - bufferedBytes;
  }

  #startReply({ status, headers, framing }: Head): void {
    if (framing) {
      this.#state = framing.body;
      this.#remaining = framing.length;
      this.#isReusable = framing.isReusable;
      if (framing.body === 'chunks') this.#chunks = new ChunkedBody();
    }
    this.#listener.onHeaders(status, headers);
    if (framing && this.#state === 'length' && this.#remaining === 0) this.#complete();
  }

  #readBody(bytes: Buffer, at: number): number {
    if (this.#chunks) {
      const data = this.#chunks.decode(at === 0 ? bytes : bytes.subarray(at));
      const { consumed, isComplete } = this.#chunks;
      if (data.length > 0) this.#listener.onData(data);
      if (isComplete) this.#complete();
      return at + consumed;
    }
    if (this.#state === 'until-close') {
      this.#listener.onData(at === 0 ? bytes : bytes.subarray(at));
      return bytes.length;
    }
    const end = Math.min(at + this.#remaining, bytes.length);
    this.#remaining -= end - at;
    this.#listener.onData(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    if (this.#remaining === 0) this.#complete();
    return end;
  }

  #complete(): void {
    this.#state = 'head';
    this.#chunks = undefined;
    this.#isComplete = true;
    this.#listener.onComplete(this.#isReusable);
  }
}

/** Whether the bytes from `at` on begin with the same head as an earlier reply, which is complete. */
function startsWithHead(bytes: Buffer, at: number, head: string): boolean {
  const end = at + head.length;
  return (
    bytes[end] === cr &&
    bytes[end + 1] === lf &&
    bytes[end + 2] === cr &&
    bytes[end + 3] === lf &&
    bytes.toString('latin1', at, end) === head
  );
}

/** @throws MalformedResponse */
function parseHead(text: string): Head {
  if (illegalCharacters.test(text)) throw new MalformedResponse();
  const lines = text.split('\r\n');
  const [, minor, digits] = statusLine.exec(lines[0] ?? '') ?? [];
  if (digits === undefined) throw new MalformedResponse();
  const status = Number(digits);
  const headers = parseHeaders(lines);
  return {
    text,
    status,
    headers,
    framing: status >= 200 ? determineFraming(status, headers, minor === '1') : undefined,
  };
}

/**
 * Decides how the body ends (RFC 9112, section 6.3), and whether the connection can be used again.
 *
 * @param isPersistent Whether the connection is kept open unless the headers say otherwise: HTTP/1.1.
 * @throws MalformedResponse
 */
function determineFraming(status: number, headers: ReplyHeaders, isPersistent: boolean): Framing {
  const { connection, 'content-length': length, 'transfer-encoding': encoding } = headers;
  const staysOpen = isPersistent ? !hasOption(connection, 'close') : hasOption(connection, 'keep-alive');
  if (encoding !== undefined) {
    if (length !== undefined || typeof encoding !== 'string' || encoding.toLowerCase() !== 'chunked')
      throw new MalformedResponse();
  }
  if (length !== undefined && (typeof length !== 'string' || !/^\d{1,15}$/.test(length))) throw new MalformedResponse();
  // HTTP/1.0 has no chunks: an intermediary may have framed the reply differently (RFC 9112, section 6.1).
  const isReusable = staysOpen && (encoding === undefined || isPersistent);
  if (status === 204 || status === 304) {
    // Such replies have no body. If they declare one nevertheless, it may follow, so the connection is not reused.
    const declaresBody = encoding !== undefined || Number(length ?? 0) > 0;
    return { body: 'length', length: 0, isReusable: isReusable && !declaresBody };
  }
  if (encoding !== undefined) return { body: 'chunks', length: 0, isReusable };
  if (length !== undefined) return { body: 'length', length: Number(length), isReusable };
  return { body: 'until-close', length: 0, isReusable: false };
}

/** Parses the headers in the lines after the first one. */
function parseHeaders(lines: readonly string[]): ReplyHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!headerName.test(name)) throw new MalformedResponse();
    const value = trimWhitespace(line, colon + 1);
    const lower = name.toLowerCase();
    const previous = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
    if (previous === undefined) headers[lower] = value;
    else if (typeof previous === 'string') headers[lower] = [previous, value];
    else previous.push(value);
  }
  return headers;
}

/** Whether a header `connection` has an option. */
function hasOption(connection: string | string[] | undefined, option: string): boolean {
  if (connection === undefined || connection === option) return connection === option;
  const options = String(connection).toLowerCase().split(',');
  return options.some((item) => item.trim() === option);
}

/** The text from `from` on, trimmed of spaces and tabs. */
function trimWhitespace(line: string, from: number): string {
  let begin = from;
  let end = line.length;
  while (begin < end && isWhitespace(line.charCodeAt(begin))) begin++;
  while (end > begin && isWhitespace(line.charCodeAt(end - 1))) end--;
  return line.slice(begin, end);
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
