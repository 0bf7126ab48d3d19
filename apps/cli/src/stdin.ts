import { usageError } from './cli-error.ts';
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

interface TextFlags {
  /** Each line of stdin is a text. */
  readonly lines?: boolean | undefined;
}

/**
 * The texts of the arguments, of the lines of stdin, or stdin as one text.
 *
 * @param example The command line with a text, if the command requires one.
 */
export async function* inputTexts(
  terminal: Terminal,
  words: readonly string[],
  { lines = false }: TextFlags,
  example?: string,
): AsyncGenerator<string, void, undefined> {
  if (lines) {
    for await (const line of readLines(terminal.stdin)) if (line.trim() !== '') yield line;
    return;
  }
  if (words.length > 0) return yield* words;
  const piped = terminal.isTTY.stdin ? '' : await readStdin(terminal);
  if (piped.trim() !== '') yield piped;
  else if (example !== undefined) throw usageError('Missing text.', `Pass a text, or pipe it: ${example}`);
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
