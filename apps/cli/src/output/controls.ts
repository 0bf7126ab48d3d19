import { stripVTControlCharacters } from 'node:util';

/** C0 and C1 control characters without newlines and tabs. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Removes control characters from text of a server, so that it cannot change colors, move the cursor, overwrite earlier output, set the
 * title or write the clipboard of a terminal. Of a sequence that is split between two texts, the printable characters remain.
 */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, '');
}

/** Makes a text a single line without control sequences. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** JSON on a single line, with control characters escaped for terminals. */
export function jsonLine(value: unknown): string {
  const escape = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, escape);
}
