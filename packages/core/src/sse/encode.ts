/** The data of the event that ends a stream (interface: Events). */
export const DONE = '[DONE]';

/** The event that ends a stream, as it goes on the wire. */
export const DONE_EVENT = 'data: [DONE]\n\n';

const LINE_END = /\r\n|\r|\n/;

/**
 * One data-only event. JSON from `JSON.stringify` never holds a line end and goes out as one line; other text is
 * split into a `data:` line for each of its lines, which the reader joins again with `\n`.
 */
export function encodeData(json: string): string {
  return LINE_END.test(json) ? `${lines('data: ', json)}\n` : `data: ${json}\n\n`;
}

/** A comment: readers ignore it, so it serves as a heartbeat. */
export function encodeComment(text: string): string {
  return `${lines(': ', text)}\n`;
}

function lines(prefix: string, text: string): string {
  return text
    .split(LINE_END)
    .map((line) => `${prefix}${line}\n`)
    .join('');
}
