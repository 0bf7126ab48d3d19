import { createInterface } from 'node:readline';
import { oneLine } from '../output/controls.ts';
import type { Terminal } from '../terminal.ts';

/** Asks a question on stderr; any answer but y means no. Concurrent tool calls are asked about one after the other. */
export function askYesNo(terminal: Terminal, question: string): Promise<boolean> {
  const answer = last.then(() => ask(terminal, oneLine(question)));
  last = answer.catch(() => undefined);
  return answer;
}

let last: Promise<unknown> = Promise.resolve();

function ask({ stdin, stderr }: Terminal, question: string): Promise<boolean> {
  const reader = createInterface({ input: stdin, output: stderr, terminal: true });
  return new Promise((resolve) => {
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => resolve(false));
    reader.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.close();
    });
  });
}
