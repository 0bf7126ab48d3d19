import { formLimits } from '../../http/forms/read-form.ts';

/** A text field of a form. */
export interface FormField {
  readonly text: string;
  /** Offsets of its text in all bytes so far. */
  readonly start: number;
  readonly end: number;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const lineBreak = Buffer.from('\r\n');

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
  #isRegular = true;
  #hasUnreported = false;
  #hasParts = false;

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

  /**
   * Whether all parsers find the same parts so far: no preamble and no epilogue, lines that end with CR and LF, boundaries at the ends of lines
   * only, and headers that are regular.
   */
  get isRegular(): boolean {
    return this.#isRegular;
  }

  /** Whether there was a field so far that could have the name and is not reported: a file, an escaped name, or a long value. */
  get hasUnreported(): boolean {
    return this.#hasUnreported;
  }

  /** The field, once its end is among the bytes so far; at most once. A longer field than `maxBytes` is not reported. */
  write(bytes: Uint8Array): FormField | undefined {
    if (this.#state === 'done') {
      this.#endWith(bytes);
      return undefined;
    }
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let found: FormField | undefined;
    for (;;) {
      switch (this.#state) {
        case 'done':
          return found;
        case 'body': {
          const at = this.#rest.indexOf(this.#delimiter);
          // The last bytes may be the beginning of a delimiter, after a carriage return.
          if (at === -1) {
            this.#discard(Math.max(0, this.#rest.length - this.#delimiter.length));
            return found;
          }
          if (this.#rest[at - 1] !== carriageReturn) this.#isRegular = false;
          if (!this.#hasParts && this.#offset + at !== -1) this.#isRegular = false;
          this.#hasParts = true;
          this.#discard(at + this.#delimiter.length);
          this.#state = 'headers';
          break;
        }
        case 'headers': {
          const at = this.#rest.indexOf('\r\n\r\n');
          const isEnd = this.#rest.subarray(0, 2).toString() === '--';
          this.#hasLongHeaders = !isEnd && (at === -1 ? this.#rest.length : at) > formLimits.headerSize;
          if (isEnd || this.#hasLongHeaders) {
            this.#state = 'done';
            if (isEnd) this.#endWith(this.#rest.subarray(2));
            break;
          }
          if (this.#rest.length >= 2 && !this.#rest.subarray(0, 2).equals(lineBreak)) this.#isRegular = false;
          if (at === -1) return found;
          const headers = this.#rest.subarray(0, at).toString('latin1');
          if (!areRegularHeaders(headers.slice(lineBreak.length), this.#name)) this.#isRegular = false;
          const isField = !this.#isFound && nameOf(headers) === this.#name;
          if (isField || mayHaveName(headers, this.#name)) {
            this.#occurrences += 1;
            if (!isField) this.#hasUnreported = true;
          }
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
          if (at !== -1 && length === at) this.#isRegular = false;
          if (at === -1 || length > this.#maxBytes) {
            this.#hasUnreported = true;
            break;
          }
          found = {
            text: this.#rest.subarray(0, length).toString(),
            start: this.#start,
            end: this.#start + length,
          };
          this.#isFound = true;
          break;
        }
      }
    }
  }

  /** After the last delimiter, there may be a line break. */
  #endWith(bytes: Uint8Array): void {
    if (bytes.some((byte) => byte !== carriageReturn && byte !== lineFeed)) this.#isRegular = false;
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

const quoted = String.raw`"[^"\\%\r\n]*"`;
const token = String.raw`[\w!#$&+.^|~-]+`;
const value = `(?:${quoted}|${token})`;
const fileName = String.raw`(?:; *filename=(?:"[^"\\\r\n]*"|${token}))?(?:; *filename\*=[\w'%.!#$&+^|~-]+)?`;
const disposition = new RegExp(`^content-disposition: *form-data; *name=(${value})(${fileName})$`, 'i');
const contentType = /^content-type: *([\w.+-]+\/[\w.+-]+)(?:; *charset="?([\w-]+)"?)?$/i;
/** Headers that do not change how a field is read. */
const neutral = /^(?:content-length: *\d+|content-transfer-encoding: *(?:7bit|8bit|binary))$/i;
/** Names that PHP, Rails and others read as a member or element of the field. */
const nested = /^\s*([^.[\s]*)\s*[.[]/;
/** A field with the charset of all others (RFC 7578). */
const charsetField = '_charset_';

/**
 * Whether all parsers read the headers of a part in the same way: line ends of CR and LF, one disposition in the order of browsers and without
 * escapes, and text in UTF-8.
 *
 * @param name The field that has to be read with certainty.
 */
function areRegularHeaders(headers: string, name: string): boolean {
  const lines = headers.split('\r\n');
  if (lines.some((line) => /[\r\n]/.test(line))) return false;
  const dispositions = lines.flatMap((line) => disposition.exec(line) ?? []);
  if (lines.filter((line) => /^\s*content-disposition/i.test(line)).length !== 1 || dispositions.length === 0)
    return false;
  const [, quotedName = '', file = ''] = dispositions;
  const fieldName = quotedName.replace(/^"(.*)"$/, '$1').toLowerCase();
  if (fieldName === charsetField || nested.exec(fieldName)?.[1] === name) return false;
  return lines.every((line) => {
    if (disposition.test(line) || neutral.test(line)) return true;
    const [, type = '', charset = 'utf-8'] = contentType.exec(line) ?? [];
    return file === '' ? /^text\/plain$/i.test(type) && /^utf-?8$/i.test(charset) : /^content-type:/i.test(line);
  });
}

/** Whether all parsers find the same boundary in a content type (RFC 2046), and read fields as UTF-8. */
export function isRegularFormType(type: string): boolean {
  return /^multipart\/form-data; *boundary=(?:[\w'+.-]{1,70}|"[\w'()+,./:=?-]{1,70}")(?:; *charset="?utf-8"?)?$/i.test(
    type.trim(),
  );
}
