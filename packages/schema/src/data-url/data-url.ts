import { isBase64 } from './base64.ts';

/** The content of a data URL (RFC 2397). */
export interface DataUrl {
  /** Type and subtype in lower case, without parameters. */
  readonly mediaType: string;
  /** Whether `data` is base64, without white space and escapes; otherwise it is text in percent-encoding. */
  readonly isBase64: boolean;
  readonly data: string;
  /** Whether every reader understands it: base64 without white space, a media type and simple parameters. */
  readonly isPlain: boolean;
}

/** Media type of a data URL without one. */
const defaultMediaType = 'text/plain';
/** The longest part before the data; the expressions below are applied to it only. */
const maxHeaderLength = 2048;

const plainHeader = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/;
const scheme = /^data:/i;
const whitespace = /[\t\n\f\r ]+/g;
const escape = /%([0-9a-f]{2})/gi;
const brokenEscape = /%(?![0-9a-f]{2})/i;

/** Whether a URL is a data URL, well-formed or not. */
export function isDataUrl(text: string): boolean {
  return scheme.test(text.slice(0, 5));
}

/**
 * Parses a data URL (RFC 2397): any number of parameters, in any case, with quoted values, and white space around them and in base64, which
 * clients break into lines. Undefined if it is not well-formed or has no data.
 */
export function parseDataUrl(text: string): DataUrl | undefined {
  const header = readHeader(text.slice(0, maxHeaderLength));
  if (!header) return undefined;
  const { mediaType, isEncoded, end } = header;
  const raw = text.slice(end);
  if (!isEncoded) {
    if (raw === '' || brokenEscape.test(raw)) return undefined;
    return { mediaType, isBase64: false, data: raw, isPlain: false };
  }
  if (isBase64(raw)) {
    const isPlain = plainHeader.exec(text.slice(0, end))?.[0].length === end;
    return { mediaType, isBase64: true, data: raw, isPlain };
  }
  const data = unescapeBase64(raw);
  return isBase64(data) ? { mediaType, isBase64: true, data, isPlain: false } : undefined;
}

/** Base64 without line breaks and percent-encoding. */
function unescapeBase64(text: string): string {
  const unescaped = text.includes('%')
    ? text.replace(escape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
  return unescaped.replace(whitespace, '');
}

interface Header {
  readonly mediaType: string;
  readonly isEncoded: boolean;
  /** Where the data starts. */
  readonly end: number;
}

const mediaTypeToken = /[\t\n\f\r ]*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?[\t\n\f\r ]*/y;
/** A parameter with its semicolon. Escapes of quotes need no rule of their own: an escaped value contains no separators. */
const parameter =
  /;[\t\n\f\r ]*(?:([^;,="\s]+)[\t\n\f\r ]*(=[\t\n\f\r ]*(?:"(?:[^"\\]|\\.)*"|[^;,"\s]*))?[\t\n\f\r ]*)?/y;

function readHeader(text: string): Header | undefined {
  if (!isDataUrl(text)) return undefined;
  mediaTypeToken.lastIndex = 5;
  const mediaType = mediaTypeToken.exec(text)?.[1]?.toLowerCase() ?? defaultMediaType;
  let end = mediaTypeToken.lastIndex;
  let isEncoded = false;
  while (text[end] === ';') {
    parameter.lastIndex = end;
    const [, name, value] = parameter.exec(text) ?? [];
    if (name?.toLowerCase() === 'base64' && value === undefined) isEncoded = true;
    end = parameter.lastIndex;
  }
  return text[end] === ',' ? { mediaType, isEncoded, end: end + 1 } : undefined;
}
