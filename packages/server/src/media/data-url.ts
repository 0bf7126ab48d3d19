import { isDataUrl, parseDataUrl } from '@modelwire/schema/internal';
import type { DataUrl } from '@modelwire/schema/internal';
import { fromBase64, toBase64 } from '../json/base64.ts';

/** Inline data of a request: its bytes, and the media type if it is a data URL. The schema has validated it. */
interface InlineData {
  readonly bytes: Uint8Array;
  readonly mediaType: string | undefined;
}

/** The bytes of base64, plain or in a data URL. */
export function readInlineData(text: string): InlineData {
  const parsed = parseInline(text);
  return parsed
    ? { bytes: bytesOf(parsed), mediaType: parsed.mediaType }
    : { bytes: fromBase64(text), mediaType: undefined };
}

/** The number of bytes of base64, plain or in a data URL. Base64 is not decoded. */
export function inlineByteLength(text: string): number {
  const parsed = parseInline(text);
  if (parsed?.isBase64 === false) return bytesOf(parsed).byteLength;
  const { data } = parsed ?? { data: text };
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}

/** The base64 of inline data, without the data URL. */
export function inlineBase64(text: string): string {
  const parsed = parseInline(text);
  if (!parsed) return text;
  return parsed.isBase64 ? parsed.data : toBase64(bytesOf(parsed));
}

/**
 * A data URL in the form that every engine and every upstream reads: base64 without white space, and no quoted parameters. The same text if it
 * has this form, or is none.
 */
export function plainDataUrl(text: string): string {
  const parsed = parseInline(text);
  if (!parsed || parsed.isPlain) return text;
  return `data:${parsed.mediaType};base64,${inlineBase64(text)}`;
}

function parseInline(text: string): DataUrl | undefined {
  return isDataUrl(text) ? parseDataUrl(text) : undefined;
}

const encoder = new TextEncoder();

function bytesOf({ isBase64, data }: DataUrl): Uint8Array {
  if (isBase64) return fromBase64(data);
  const encoded = encoder.encode(data);
  if (!data.includes('%')) return encoded;
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    const isEscape = encoded[at] === percent;
    bytes[length++] = isEscape
      ? Number.parseInt(String.fromCharCode(...encoded.subarray(at + 1, at + 3)), 16)
      : (encoded[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

const percent = 0x25;
