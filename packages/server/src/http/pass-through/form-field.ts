/** A text field of a form. */
export interface FormField {
  readonly text: string;
  /** Offsets of its text in all bytes so far. */
  readonly start: number;
  readonly end: number;
}

/** Bytes of a part's headers. */
const maxHeaderBytes = 16 * 1024;
const carriageReturn = 0x0d;

/**
 * Finds a text field of a `multipart/form-data` body (RFC 7578) in its bytes as they arrive. Keeps no more of it than what may be the
 * beginning of a boundary, the headers of one part, and the field itself.
 */
export class FormFieldFinder {
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #delimiter: Buffer;
  #state: 'body' | 'headers' | 'field' | 'done' = 'body';
  /** Bytes that have not been classified yet, and their offset in all bytes. */
  #rest: Buffer = Buffer.from('\r\n');
  #offset = -2;
  #start = 0;
  #isFound = false;
  #occurrences = 0;
  #hasLongHeaders = false;

  /** @returns undefined if the content type has no boundary, or several. */
  static create(contentType: string, name: string, maxBytes: number): FormFieldFinder | undefined {
    const [match, ...others] = contentType.matchAll(/;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/gi);
    const boundary = match?.[1] ?? match?.[2];
    return boundary === undefined || others.length > 0 ? undefined : new FormFieldFinder(boundary, name, maxBytes);
  }

  private constructor(boundary: string, name: string, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    // Without the carriage return, which some parsers do not require.
    this.#delimiter = Buffer.from(`\n--${boundary}`);
  }

  /**
   * Whether the upstream could find another value, depending on its parser: so far, several parts could have this name (also files, long values,
   * and names that are escaped or encoded), or the headers of a part were too long.
   */
  get isAmbiguous(): boolean {
    return this.#occurrences > 1 || this.#hasLongHeaders;
  }

  /** The field, once its end is among the bytes so far; at most once. A longer field than `maxBytes` is not reported. */
  write(bytes: Uint8Array): FormField | undefined {
    if (this.#state === 'done') return undefined;
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let found: FormField | undefined;
    for (;;) {
      switch (this.#state) {
        case 'done':
          return found;
        case 'body': {
          const at = this.#rest.indexOf(this.#delimiter);
          // The last bytes may be the beginning of a delimiter.
          if (at === -1) {
            this.#discard(Math.max(0, this.#rest.length - this.#delimiter.length + 1));
            return found;
          }
          this.#discard(at + this.#delimiter.length);
          this.#state = 'headers';
          break;
        }
        case 'headers': {
          const at = this.#rest.indexOf('\r\n\r\n');
          const isEnd = this.#rest.subarray(0, 2).toString() === '--';
          this.#hasLongHeaders = !isEnd && (at === -1 ? this.#rest.length : at) > maxHeaderBytes;
          if (isEnd || this.#hasLongHeaders) {
            this.#state = 'done';
            break;
          }
          if (at === -1) return found;
          const headers = this.#rest.subarray(0, at).toString('latin1');
          const isField = !this.#isFound && nameOf(headers) === this.#name;
          if (isField || mayHaveName(headers, this.#name)) this.#occurrences += 1;
          // Keep the line break: it is the beginning of the delimiter that ends an empty body.
          this.#discard(isField ? at + 4 : at + 2);
          this.#state = isField ? 'field' : 'body';
          this.#start = this.#offset;
          break;
        }
        case 'field': {
          const at = this.#rest.indexOf(this.#delimiter);
          if (at === -1 && this.#rest.length <= this.#maxBytes + this.#delimiter.length) return found;
          this.#state = 'body';
          const length = this.#rest[at - 1] === carriageReturn ? at - 1 : at;
          if (at === -1 || length > this.#maxBytes) break;
          found = { text: this.#rest.subarray(0, length).toString(), start: this.#start, end: this.#start + length };
          this.#isFound = true;
          break;
        }
      }
    }
  }

  #discard(bytes: number): void {
    this.#rest = this.#rest.subarray(bytes);
    this.#offset += bytes;
  }
}

/** The name of a part, if it is not a file. */
function nameOf(headers: string): string | undefined {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1];
  if (disposition === undefined || /(^|;)\s*filename\*?\s*=/i.test(disposition)) return undefined;
  const match = /(?:^|;)\s*name\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(disposition);
  return match?.[1] ?? match?.[2];
}

/** Whether some parser could read this name in the headers of a part: folded, escaped, percent-encoded or in another case. */
function mayHaveName(headers: string, name: string): boolean {
  const text = decodePercent(headers.replaceAll(/\r?\n[ \t]+/g, ' ').replaceAll('\\', ''));
  const names = text.matchAll(/[;\s]name\*?\d*\*?\s*=\s*(?:[\w-]*'[\w-]*')?(?:"([^"]*)"|([^\s;"]*))/gi);
  return [...names].some(([, quoted, token]) => (quoted ?? token ?? '').trim().toLowerCase() === name);
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
