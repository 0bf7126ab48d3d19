/** A text field of a form. */
export interface FormField {
  readonly text: string;
  /** Offsets of its text in all bytes so far. */
  readonly start: number;
  readonly end: number;
}

/** Bytes of a part's headers. */
const maxHeaderBytes = 16 * 1024;

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

  /** @returns undefined if the content type has no boundary. */
  static create(contentType: string, name: string, maxBytes: number): FormFieldFinder | undefined {
    const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
    const boundary = match?.[1] ?? match?.[2];
    return boundary === undefined ? undefined : new FormFieldFinder(boundary, name, maxBytes);
  }

  private constructor(boundary: string, name: string, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** The field, once its end is among the bytes so far; at most once. A longer field than `maxBytes` is not reported. */
  write(bytes: Uint8Array): FormField | undefined {
    if (this.#state === 'done') return undefined;
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      switch (this.#state) {
        case 'done':
          return undefined;
        case 'body': {
          const at = this.#rest.indexOf(this.#delimiter);
          // The last bytes may be the beginning of a delimiter.
          if (at === -1) {
            this.#discard(Math.max(0, this.#rest.length - this.#delimiter.length + 1));
            return undefined;
          }
          this.#discard(at + this.#delimiter.length);
          this.#state = 'headers';
          break;
        }
        case 'headers': {
          const at = this.#rest.indexOf('\r\n\r\n');
          if (this.#rest.subarray(0, 2).toString() === '--' || (at === -1 && this.#rest.length > maxHeaderBytes)) {
            this.#state = 'done';
            break;
          }
          if (at === -1) return undefined;
          const isField = nameOf(this.#rest.subarray(0, at).toString('latin1')) === this.#name;
          // Keep the line break: it is the beginning of the delimiter that ends an empty body.
          this.#discard(isField ? at + 4 : at + 2);
          this.#state = isField ? 'field' : 'body';
          this.#start = this.#offset;
          break;
        }
        case 'field': {
          const at = this.#rest.indexOf(this.#delimiter);
          if (at === -1 && this.#rest.length <= this.#maxBytes + this.#delimiter.length) return undefined;
          this.#state = 'done';
          if (at === -1 || at > this.#maxBytes) break;
          const text = this.#rest.subarray(0, at).toString();
          this.#rest = Buffer.alloc(0);
          return { text, start: this.#start, end: this.#start + at };
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
