const maxLength = 512;
const maxMembers = 32;
/** Of a key without a tenant, and of a value. */
const maxTextLength = 256;
const maxTenantLength = 241;
const maxSystemLength = 14;

const letters = characterTable('abcdefghijklmnopqrstuvwxyz');
const lettersAndDigits = characterTable('abcdefghijklmnopqrstuvwxyz0123456789');
const keyCharacters = characterTable('abcdefghijklmnopqrstuvwxyz0123456789_-*/');
/** Printable ASCII characters except `,` and `=`. */
const valueCharacters = characterTable(
  Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))
    .filter((character) => character !== ',' && character !== '=')
    .join(''),
);

/**
 * Whether a header `tracestate` conforms to W3C Trace Context, section 3.3, and has at most 512 characters: up to 32 members `key=value`,
 * separated by commas. Empty members are allowed, but not a header of nothing else.
 */
export function isValidTraceState(header: string): boolean {
  if (header.length > maxLength) return false;
  let members = 0;
  for (let start = 0; start <= header.length;) {
    const commaIndex = header.indexOf(',', start);
    const nextStart = commaIndex === -1 ? header.length + 1 : commaIndex + 1;
    let end = nextStart - 1;
    while (start < end && isWhitespace(header, start)) start++;
    while (end > start && isWhitespace(header, end - 1)) end--;
    if (start < end) {
      members++;
      if (members > maxMembers || !isMember(header, start, end)) return false;
    }
    start = nextStart;
  }
  return members > 0;
}

function isMember(header: string, start: number, end: number): boolean {
  const keyEnd = header.indexOf('=', start);
  if (keyEnd === -1 || keyEnd >= end) return false;
  return isKey(header, start, keyEnd) && consistsOf(valueCharacters, header, keyEnd + 1, end, maxTextLength);
}

function isKey(header: string, start: number, end: number): boolean {
  const atIndex = header.lastIndexOf('@', end - 1);
  if (atIndex < start)
    return letters[header.charCodeAt(start)] === 1 && consistsOf(keyCharacters, header, start, end, maxTextLength);
  return (
    lettersAndDigits[header.charCodeAt(start)] === 1 &&
    consistsOf(keyCharacters, header, start, atIndex, maxTenantLength) &&
    letters[header.charCodeAt(atIndex + 1)] === 1 &&
    consistsOf(keyCharacters, header, atIndex + 1, end, maxSystemLength)
  );
}

/** Whether a part of a header has from 1 to `maxCount` characters, all of them in the table. */
function consistsOf(table: Uint8Array, header: string, start: number, end: number, maxCount: number): boolean {
  if (start >= end || end - start > maxCount) return false;
  for (let index = start; index < end; index++) if (table[header.charCodeAt(index)] !== 1) return false;
  return true;
}

function isWhitespace(header: string, index: number): boolean {
  const code = header.charCodeAt(index);
  return code === 0x20 || code === 0x09;
}

/** A table of the ASCII characters, with 1 for each of the given ones. */
function characterTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let index = 0; index < characters.length; index++) table[characters.charCodeAt(index)] = 1;
  return table;
}
