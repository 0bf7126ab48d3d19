import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathsOf } from '../config/paths.ts';
import { readIfThere, writePrivately } from '../config/private-file.ts';
import type { Terminal } from '../terminal.ts';

/** What came of asking: a message, Ctrl-C (with something typed or without), or the end of the input. */
export type Asked =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'interrupt'; readonly empty: boolean }
  | { readonly type: 'end' };

/** Where a person types: lines with history and completion, several of them where wanted. */
export interface Editor {
  ask(prompt: string): Promise<Asked>;
  /** The lines that were typed, for the next time. */
  save(): Promise<void>;
}

/** Gives what a line may be completed to. */
export type Completer = (line: string) => Promise<readonly string[]>;

const KEPT_LINES = 1000;
/** Lines that come faster than anybody types are pasted: they are one message. */
const PASTE_MS = 15;

export async function openEditor(terminal: Terminal, complete: Completer): Promise<Editor> {
  const path = join(pathsOf(terminal).state, 'history');
  let history = ((await readIfThere(path)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .reverse();
  let changed = false;

  return {
    ask: (prompt) => askOnce(prompt),
    async save() {
      if (!changed) return;
      await writePrivately(path, `${[...history].slice(0, KEPT_LINES).reverse().join('\n')}\n`);
    },
  };

  /**
   * An interface for each message: while a reply is written the terminal is as it was, so that Ctrl-C is a signal. What
   * ends in a backslash, or stands between two lines of `"""`, goes on in the next line.
   */
  function askOnce(prompt: string): Promise<Asked> {
    // A terminal that has hung up says so once.
    if (terminal.stdin.readableEnded || terminal.stdin.destroyed) return Promise.resolve({ type: 'end' });
    const reader = createInterface({
      input: terminal.stdin,
      output: terminal.stdout,
      terminal: true,
      history: [...history],
      historySize: KEPT_LINES,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: Error | null, result: [string[], string]) => void) => {
        void complete(line).then(
          // Asked twice in a hurry, it would complete twice.
          (found) => done(null, [reader.line === line ? [...found] : [], line]),
          () => done(null, [[], line]),
        );
      },
    });
    const lines: string[] = [];
    let quoted = false;
    let timer: NodeJS.Timeout | undefined;
    return new Promise((resolve) => {
      const finish = (asked: Asked): void => {
        clearTimeout(timer);
        reader.off('close', onEnd);
        reader.close();
        resolve(asked);
      };
      const onEnd = (): void => finish(lines.length > 0 ? { type: 'text', text: lines.join('\n') } : { type: 'end' });
      reader.on('history', (entries) => {
        history = entries;
        changed = true;
      });
      reader.on('SIGINT', () => {
        terminal.stdout.write('^C\n');
        finish({ type: 'interrupt', empty: lines.length === 0 && reader.line === '' && !quoted });
      });
      reader.on('close', onEnd);
      reader.on('line', (line) => {
        clearTimeout(timer);
        if (line.trim() === '"""') {
          quoted = !quoted;
          if (quoted) {
            goOn();
            return;
          }
        } else if (!quoted && line.endsWith('\\')) {
          lines.push(line.slice(0, -1));
          goOn();
          return;
        } else lines.push(line);
        if (quoted) goOn();
        else timer = setTimeout(settle, PASTE_MS);
      });

      function settle(): void {
        // The last line of what was pasted has no end: it is still being written.
        if (reader.line === '') finish({ type: 'text', text: lines.join('\n') });
      }

      function goOn(): void {
        reader.setPrompt('… ');
        reader.prompt();
      }

      reader.setPrompt(prompt);
      reader.prompt();
    });
  }
}
