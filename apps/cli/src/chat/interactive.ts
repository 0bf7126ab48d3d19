import type { Printer } from '../output/printer.ts';
import type { Terminal } from '../terminal.ts';
import { textOf } from './conversation.ts';
import type { Editor } from './editor.ts';
import type { Session } from './session.ts';
import { runSlash } from './slash-commands.ts';
import type { SlashContext } from './slash-commands.ts';

export interface Interactive {
  readonly session: Session;
  readonly editor: Editor;
  readonly terminal: Terminal;
  readonly print: Printer;
  readonly slash: SlashContext;
  /** Said at once, where the command line has it. */
  readonly first: string;
}

/** Asks and answers until somebody has had enough. */
export async function talk({ session, editor, terminal, print, slash, first }: Interactive): Promise<void> {
  // Between two questions Ctrl-C is the editor's; one that comes in the moment between must not end the program.
  const release = terminal.onInterrupt(() => undefined);
  let warned = false;
  try {
    greet(session, print);
    if (first !== '' || session.attached.length > 0) await session.say(first);
    for (;;) {
      const asked = await editor.ask(`${print.style('bold', '>')} `);
      if (asked.type === 'end') {
        await print.raw('\n');
        return;
      }
      if (asked.type === 'interrupt') {
        if (asked.empty && warned) return;
        warned = asked.empty;
        if (asked.empty) print.note('(once more, or Ctrl-D, to leave)');
        continue;
      }
      warned = false;
      const text = asked.text.trim();
      if (text.startsWith('/') && !text.includes('\n')) {
        if (await runSlash(text, slash)) return;
      } else if (text !== '') await session.say(asked.text);
    }
  } finally {
    release();
    await editor.save();
  }
}

function greet({ conversation: { model, messages } }: Session, print: Printer): void {
  print.note(`${model}: /help lists commands, Ctrl-D leaves.`);
  const last = messages.at(-1);
  if (last !== undefined) print.note(`(${messages.length} messages so far; the last: ${textOf(last).slice(0, 200)})`);
}
