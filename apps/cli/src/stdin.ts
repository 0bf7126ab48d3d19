import type { Terminal } from './terminal.ts';

/** Reads stdin to its end. */
export async function readStdin({ stdin }: Terminal): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : utf8.decode(chunk as Uint8Array, { stream: true });
  }
  return text + utf8.decode();
}

/** Yields the lines of a stream while it is read, without line ends. */
export async function* readLines(source: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  const utf8 = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const lines = (
      rest + (typeof chunk === 'string' ? chunk : utf8.decode(chunk as Uint8Array, { stream: true }))
    ).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  rest += utf8.decode();
  if (rest !== '') yield rest;
}
