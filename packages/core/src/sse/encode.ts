/** The data of the event that ends a stream (API: Events). */
export const DONE = '[DONE]';

/** The event that ends a stream, in its wire format. */
export const DONE_EVENT = 'data: [DONE]\n\n';

const LINE_END = /\r\n|\r|\n/;

/**
 * One data-only event. JSON from `JSON.stringify` has no line end and becomes one line; other text becomes a `data:` line for
 * each of its lines, which readers join with `\n`.
 */
export function encodeData(json: string): string {
  return LINE_END.test(json) ? `${lines('data: ', json)}\n` : `data: ${json}\n\n`;
}

/** A comment. Readers ignore it, so that it can serve as a heartbeat. */
export function encodeComment(text: string): string {
  return `${lines(': ', text)}\n`;
}

function lines(prefix: string, text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `${prefix}${line}\n`)
    .join('');
}
