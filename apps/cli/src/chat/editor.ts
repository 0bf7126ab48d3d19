import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathsOf } from '../config/paths.ts';
import { readIfExists, writePrivateFile } from '../config/private-file.ts';
import type { Terminal } from '../terminal.ts';

/** What the user entered: a message, Ctrl-C, or the end of the input. */
type EditorInput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'interrupt'; readonly isEmpty: boolean }
  | { readonly type: 'end' };

/** Reads messages from the terminal, with history, completion and multi-line input. */
export interface Editor {
  read(prompt: string): Promise<EditorInput>;
  /** Saves the history for later sessions. */
  saveHistory(): Promise<void>;
}

/** Returns the completions of a line. */
export type Completer = (line: string) => Promise<readonly string[]>;

const MAX_HISTORY_LINES = 1000;
/** Lines that arrive faster than this are pasted, and form one message. */
const PASTE_MS = 15;

export async function openEditor(terminal: Terminal, complete: Completer): Promise<Editor> {
  const path = join(pathsOf(terminal).state, 'history');
  let history = ((await readIfExists(path)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .reverse();
  let changed = false;

  return {
    read: readMessage,
    async saveHistory() {
      if (!changed) return;
      await writePrivateFile(path, `${[...history].slice(0, MAX_HISTORY_LINES).reverse().join('\n')}\n`);
    },
  };

  /**
   * Uses a readline interface for each message, so that Ctrl-C is a signal while a reply is printed. A line that ends in a backslash,
   * or text between two lines of `"""`, is continued on the next line.
   */
  function readMessage(prompt: string): Promise<EditorInput> {
    // The stream emits `end` only once.
    if (terminal.stdin.readableEnded || terminal.stdin.destroyed) return Promise.resolve({ type: 'end' });
    const reader = createInterface({
      input: terminal.stdin,
      output: terminal.stdout,
      terminal: true,
      history: [...history],
      historySize: MAX_HISTORY_LINES,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: Error | null, result: [string[], string]) => void) => {
        void complete(line).then(
          // Ignored if the line has changed meanwhile.
          (found) => done(null, [reader.line === line ? [...found] : [], line]),
          () => done(null, [[], line]),
        );
      },
    });
    const lines: string[] = [];
    let isQuoted = false;
    let timer: NodeJS.Timeout | undefined;
    return new Promise((resolve) => {
      const finish = (input: EditorInput): void => {
        clearTimeout(timer);
        reader.off('close', onEnd);
        reader.close();
        resolve(input);
      };
      const onEnd = (): void => finish(lines.length > 0 ? { type: 'text', text: lines.join('\n') } : { type: 'end' });
      reader.on('history', (entries) => {
        history = entries;
        changed = true;
      });
      reader.on('SIGINT', () => {
        terminal.stdout.write('^C\n');
        finish({ type: 'interrupt', isEmpty: lines.length === 0 && reader.line === '' && !isQuoted });
      });
      reader.on('close', onEnd);
      reader.on('line', (line) => {
        clearTimeout(timer);
        if (line.trim() === '"""') {
          isQuoted = !isQuoted;
          if (isQuoted) {
            continueMessage();
            return;
          }
        } else if (!isQuoted && line.endsWith('\\')) {
          lines.push(line.slice(0, -1));
          continueMessage();
          return;
        } else lines.push(line);
        if (isQuoted) continueMessage();
        else timer = setTimeout(finishPaste, PASTE_MS);
      });

      function finishPaste(): void {
        // The last pasted line can lack its line end; the user can still edit it.
        if (reader.line === '') finish({ type: 'text', text: lines.join('\n') });
      }

      function continueMessage(): void {
        reader.setPrompt('… ');
        reader.prompt();
      }

      reader.setPrompt(prompt);
      reader.prompt();
    });
  }
}
