/** A member of a JSON object. */
export interface JsonMember {
  /** Its key, after the key of the object that it is in: `usage`, `response.usage`. */
  readonly path: string;
  /** Its value as JSON text. */
  readonly text: string;
  /** Offsets of the value in all bytes so far. */
  readonly start: number;
  readonly end: number;
}

/** Longer keys cannot match. */
const maxKeyBytes = 64;
/** Depth at which members are looked for: of the object itself, and of an object directly in it. */
const maxDepth = 2;

/** Of numbers and of `true`, `false` and `null`. */
const tokenBytes: ReadonlySet<number> = new Set(Buffer.from('+-.0123456789Eaeflnrstu'));

interface Token {
  readonly start: number;
  readonly maxBytes: number;
  readonly pieces: Uint8Array[];
  bytes: number;
}

/**
 * Finds members of a JSON object in its bytes as they arrive, and keeps nothing else of them. After invalid JSON it finds no members or wrong
 * ones, so callers must parse the text of a value.
 */
export class JsonMembers {
  readonly #paths: ReadonlySet<string>;
  readonly #maxValueBytes: number;
  #offset = 0;
  #depth = 0;
  /** Whether the container at each depth from 1 is an object, and the key of the member that it is at. */
  readonly #isObject: boolean[] = [];
  readonly #keys: string[] = [];
  #isInString = false;
  #isEscaped = false;
  #expectsKey = false;
  /** The path of the value that begins next. */
  #expected: string | undefined;
  #key: Token | undefined;
  #value: (Token & { readonly path: string; readonly depth: number }) | undefined;
  #found: JsonMember[] = [];
  #occurrences = 0;
  #isRegular = true;
  #hasUnreported = false;
  /** Whether a value has ended and no separator followed yet. */
  #isAfterValue = false;
  #isInToken = false;

  /** @param paths In lower case. @param maxValueBytes A longer value is not reported. */
  constructor(paths: readonly string[], maxValueBytes: number) {
    this.#paths = new Set(paths);
    this.#maxValueBytes = maxValueBytes;
  }

  /**
   * Whether another JSON parser could find another value: so far, members with these paths have occurred several times, ignoring case. Values that
   * are not reported count as well.
   */
  get isAmbiguous(): boolean {
    return this.#occurrences > 1;
  }

  /**
   * Whether every parser finds the same members so far, also lenient ones: no comments, no other quotes, no keys without quotes, no separator
   * left out, and one value. Bytes of other encodings and a byte order mark are irregular, too.
   */
  get isRegular(): boolean {
    return this.#isRegular;
  }

  /** Whether there was a member so far that is not reported: its path is equal only ignoring case, or its value is too long. */
  get hasUnreported(): boolean {
    return this.#hasUnreported;
  }

  /** The members whose values end in these bytes. */
  write(bytes: Uint8Array): readonly JsonMember[] {
    this.#found = [];
    let backslash = -1;
    let quote = -1;
    let at = 0;
    const append = (token: Token | undefined, until: number): void => {
      if (!token) return;
      const piece = bytes.subarray(Math.max(0, token.start - this.#offset), until);
      token.bytes += piece.byteLength;
      // A copy, since the caller may reuse the bytes.
      if (token.bytes <= token.maxBytes) token.pieces.push(piece.slice());
    };
    while (at < bytes.length) {
      if (this.#isInString) {
        if (this.#isEscaped) {
          this.#isEscaped = false;
          at += 1;
          continue;
        }
        if (backslash < at) backslash = indexOf(bytes, 0x5c, at);
        if (quote < at) quote = indexOf(bytes, 0x22, at);
        if (backslash < quote) {
          this.#isEscaped = true;
          at = backslash + 1;
          continue;
        }
        if (quote === bytes.length) break;
        at = quote + 1;
        this.#isInString = false;
        if (this.#key) {
          append(this.#key, at);
          this.#endKey(this.#key);
        } else if (this.#value?.depth === this.#depth) {
          append(this.#value, at);
          this.#endValue(this.#value, at);
        }
        continue;
      }
      const byte = bytes[at] ?? 0;
      const isSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
      if (this.#expected !== undefined && !isSpace) this.#beginValue(this.#expected, at);
      this.#checkByte(byte, isSpace);
      switch (byte) {
        case 0x22: // "
          this.#isInString = true;
          if (this.#expectsKey)
            this.#key = {
              start: this.#offset + at,
              maxBytes: maxKeyBytes,
              pieces: [],
              bytes: 0,
            };
          this.#expectsKey = false;
          break;
        case 0x3a: // :
          if (this.#isInObject()) this.#expected = this.#matchPath();
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#depth += 1;
          if (this.#depth <= maxDepth) {
            this.#isObject[this.#depth] = byte === 0x7b;
            this.#expectsKey = byte === 0x7b;
          }
          break;
        case 0x2c: // ,
        case 0x5d: // ]
        case 0x7d: // }
          if (this.#value?.depth === this.#depth) {
            append(this.#value, at);
            this.#endValue(this.#value, at);
          }
          if (byte === 0x2c) this.#expectsKey = this.#isInObject();
          else {
            this.#depth -= 1;
            this.#expectsKey = false;
            if (this.#value?.depth === this.#depth) {
              append(this.#value, at + 1);
              this.#endValue(this.#value, at + 1);
            }
          }
          break;
      }
      at += 1;
    }
    append(this.#key, bytes.length);
    append(this.#value, bytes.length);
    this.#offset += bytes.length;
    return this.#found;
  }

  /** Checks a byte outside of strings. */
  #checkByte(byte: number, isSpace: boolean): void {
    const isInToken = tokenBytes.has(byte);
    const isBeginning = byte === 0x22 || byte === 0x5b || byte === 0x7b || (isInToken && !this.#isInToken);
    const isSeparator = byte === 0x2c || byte === 0x3a;
    const isEnd = byte === 0x5d || byte === 0x7d;
    if (!isSpace && !isInToken && !isBeginning && !isSeparator && !isEnd) this.#isRegular = false;
    if (byte === 0x0b || byte === 0x0c) this.#isRegular = false;
    if (isBeginning && this.#isAfterValue) this.#isRegular = false;
    if ((isSeparator || isEnd) && this.#depth < 1) this.#isRegular = false;
    if (!isSpace) this.#isAfterValue = byte === 0x22 || isInToken || isEnd;
    this.#isInToken = isInToken;
  }

  #isInObject(): boolean {
    return this.#depth >= 1 && this.#depth <= maxDepth && this.#isObject[this.#depth] === true;
  }

  /** The path of the member whose key has ended, if it is one of those to find. */
  #matchPath(): string | undefined {
    const path = this.#keys.slice(1, this.#depth + 1).join('.');
    if (this.#paths.has(path.toLowerCase())) {
      this.#occurrences += 1;
      if (!this.#paths.has(path)) this.#hasUnreported = true;
    }
    return this.#paths.has(path) ? path : undefined;
  }

  #beginValue(path: string, at: number): void {
    this.#expected = undefined;
    if (this.#value) return;
    const start = this.#offset + at;
    this.#value = {
      path,
      start,
      depth: this.#depth,
      maxBytes: this.#maxValueBytes,
      pieces: [],
      bytes: 0,
    };
  }

  #endKey(token: Token): void {
    this.#key = undefined;
    this.#keys[this.#depth] = token.bytes <= token.maxBytes ? keyOf(textOf(token)) : '';
  }

  #endValue(value: Token & { readonly path: string }, at: number): void {
    this.#value = undefined;
    if (value.bytes > value.maxBytes) {
      this.#hasUnreported = true;
      return;
    }
    this.#found.push({
      path: value.path,
      text: textOf(value),
      start: value.start,
      end: this.#offset + at,
    });
  }
}

/** The length if there is none, so that positions compare. */
function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index === -1 ? bytes.length : index;
}

function textOf({ pieces }: Token): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}

function keyOf(text: string): string {
  try {
    const key: unknown = JSON.parse(text);
    return typeof key === 'string' ? key : '';
  } catch {
    return '';
  }
}
