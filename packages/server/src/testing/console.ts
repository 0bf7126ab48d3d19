import type { ConsoleFile, ConsoleFiles } from '../options/types.ts';

const encoder = new TextEncoder();

const file = (type: string, text: string): ConsoleFile => ({
  type,
  body: encoder.encode(text),
  etag: `etag-of-${text.length}`,
});

/** A console with three files. */
export const testConsole: ConsoleFiles = new Map([
  ['index.html', file('text/html; charset=utf-8', '<!doctype html><html><head><title>x</title></head></html>')],
  ['assets/main-abc123.js', file('text/javascript; charset=utf-8', 'console.log(1)')],
  ['icon.svg', file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')],
]);
