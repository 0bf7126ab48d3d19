import { createInterface } from 'node:readline';
import { oneLine } from '../output/controls.ts';
import type { Terminal } from '../terminal.ts';

/** A question on stderr; anything but y is no. One at a time: calls of tools may come together. */
export function askYesNo(terminal: Terminal, question: string): Promise<boolean> {
  const asking = last.then(() => ask(terminal, oneLine(question)));
  last = asking.catch(() => undefined);
  return asking;
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
