import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Reads a line from the terminal. The prompt is printed on stderr; what is typed is shown unless `isSecret`. */
export async function ask({ stdin, stderr }: Terminal, prompt: string, isSecret = false): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isSecret ? nothing : stderr, terminal: true });
  const abort = new AbortController();
  reader.on('SIGINT', () => abort.abort());
  reader.on('close', () => abort.abort());
  if (isSecret) stderr.write(prompt);
  try {
    return await reader.question(isSecret ? '' : prompt, { signal: abort.signal });
  } catch {
    throw new CliError(EXIT.interrupted, 'interrupted');
  } finally {
    reader.close();
    if (isSecret) stderr.write('\n');
  }
}
