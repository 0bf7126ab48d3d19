import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { ChunkBuffer } from '../../limits/chunk-buffer.ts';

/** Bytes that are kept of each end of a body. */
const endBytes = 32 * 1024;
/** Places of a name, and of closing brackets behind it, that are tried. */
const maxTries = 8;

/**
 * Keeps the beginning and the end of a JSON object as its bytes pass, to read a member that is small and stands beside large ones: replies
 * have their usage before or after embeddings and images of any size.
 */
export class BodyEnds {
  readonly #beginning = new ChunkBuffer();
  /** The last bytes: what follows the beginning, of which the older half is dropped whenever it is full. */
  #end: Buffer | undefined;
  #endLength = 0;
  #hasGap = false;

  write(bytes: Uint8Array): void {
    const first = bytes.subarray(0, endBytes - this.#beginning.length);
    this.#beginning.add(first);
    for (let at = first.byteLength; at < bytes.byteLength; at += endBytes)
      this.#append(bytes.subarray(at, at + endBytes));
  }

  /** The value of a member of the object, undefined if it has none with this name near its ends. Call after the last bytes. */
  member(name: string): unknown {
    const beginning = this.#beginning.join();
    const end = this.#end?.subarray(0, this.#endLength) ?? new Uint8Array();
    if (!this.#hasGap) return memberOf(Buffer.concat([beginning, end]).toString(), name);
    return memberAtEnd(decoder.decode(end), name) ?? memberAtBeginning(decoder.decode(beginning), name);
  }

  #append(piece: Uint8Array): void {
    this.#end ??= Buffer.allocUnsafe(2 * endBytes);
    if (this.#endLength + piece.byteLength > this.#end.byteLength) {
      this.#end.copyWithin(0, this.#endLength - endBytes, this.#endLength);
      this.#endLength = endBytes;
      this.#hasGap = true;
    }
    this.#end.set(piece, this.#endLength);
    this.#endLength += piece.byteLength;
  }
}

function memberOf(text: string, name: string): unknown {
  const value = parseJson(text);
  return isRecord(value) ? value[name] : undefined;
}

/** Parses from a member to the end: only for a member of the outer object is the rest valid JSON. */
function memberAtEnd(text: string, name: string): unknown {
  const places = [...text.matchAll(keyPattern(name))].slice(-maxTries);
  return places.map(({ index }) => memberOf(`{${text.slice(index)}`, name)).findLast((value) => value !== undefined);
}

/** Parses from the start to the end of a member: only for a member of the outer object does one bracket complete it. */
function memberAtBeginning(text: string, name: string): unknown {
  for (const { index } of [...text.matchAll(keyPattern(name))].slice(0, maxTries)) {
    const closings = [...text.slice(index, index + endBytes / 2).matchAll(/\}/g)].slice(0, maxTries);
    for (const closing of closings) {
      const value = memberOf(`${text.slice(0, index + closing.index + 1)}}`, name);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

const decoder = new TextDecoder();
const keyPattern = (name: string): RegExp => new RegExp(`"${name}"\\s*:`, 'g');
