/** Finds the end of an HTTP/1.1 reply and the start of its body, with minimal work, so that the load is cheap. */
export interface ReplyReader {
  /** True when the reply is complete. */
  push(bytes: Buffer): boolean;
  readonly status: number;
  /** Whether any byte of the body has arrived. */
  readonly begun: boolean;
  readonly keepAlive: boolean;
  reset(): void;
}

const CR = 13;
const LF = 10;
type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'trailer';

export function createReplyReader(): ReplyReader {
  let state: State = 'head';
  let head: Buffer | undefined;
  let status = 0;
  let left = 0;
  let size = 0;
  let extension = false;
  let begun = false;
  let keepAlive = true;
  let lineLength = 0;

  return {
    get status() {
      return status;
    },
    get begun() {
      return begun;
    },
    get keepAlive() {
      return keepAlive;
    },
    reset() {
      state = 'head';
      head = undefined;
      status = left = size = lineLength = 0;
      begun = extension = false;
      keepAlive = true;
    },
    push(bytes) {
      let at = 0;
      if (state === 'head') {
        const all: Buffer = head ? Buffer.concat([head, bytes]) : bytes;
        const end = all.indexOf('\r\n\r\n');
        if (end < 0) {
          head = all;
          return false;
        }
        readHead(all.toString('latin1', 0, end));
        at = end + 4;
        bytes = all;
        if (sized() && left === 0) return true;
      }
      if (at < bytes.length) begun = true;
      return sized() ? (left -= bytes.length - at) <= 0 : chunked(bytes, at);
    },
  };

  function sized(): boolean {
    return state === 'length';
  }

  function readHead(text: string): void {
    status = Number(text.slice(9, 12));
    keepAlive = !/\r\nconnection: *close/i.test(text);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (length) {
      state = 'length';
      left = Number(length[1]);
    } else if (/\r\ntransfer-encoding: *chunked/i.test(text)) state = 'chunk-size';
    else throw new Error(`a reply without length: ${text}`);
  }

  function chunked(bytes: Buffer, from: number): boolean {
    let at = from;
    while (at < bytes.length) {
      if (state === 'chunk-data') {
        const step = Math.min(left, bytes.length - at);
        at += step;
        left -= step;
        if (left === 0) state = 'chunk-size';
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (state === 'trailer') {
        if (byte === LF) {
          if (lineLength === 0) return true;
          lineLength = 0;
        } else if (byte !== CR) lineLength++;
        continue;
      }
      if (byte === LF) {
        if (size === 0) {
          state = 'trailer';
          lineLength = 0;
        } else {
          state = 'chunk-data';
          // With the line end after the data.
          left = size + 2;
        }
        size = 0;
        extension = false;
      } else if (byte === 59) extension = true;
      else if (byte !== CR && !extension) size = size * 16 + hex(byte);
    }
    return false;
  }
}

function hex(byte: number): number {
  if (byte <= 57) return byte - 48;
  return (byte | 32) - 87;
}
