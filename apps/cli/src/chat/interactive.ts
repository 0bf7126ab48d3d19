import type { ChatCompletionContentPart } from '@modelwire/chat';
import { createModels } from '@modelwire/models';
import type { Context } from '../command.ts';
import type { Printer } from '../output/printer.ts';
import { textOf } from './conversation.ts';
import { openEditor } from './editor.ts';
import type { Editor } from './editor.ts';
import type { chatFlags } from './flags.ts';
import type { ChatOptions } from './options.ts';
import { createSession } from './session.ts';
import type { Session } from './session.ts';
import { completeSlashCommand, runSlashCommand } from './slash-commands.ts';
import type { SlashContext } from './slash-commands.ts';

/** Runs an interactive chat until the user exits it. */
export async function startInteractiveChat(
  context: Context<typeof chatFlags>,
  options: ChatOptions,
  prompt: string,
  attachments: readonly ChatCompletionContentPart[],
): Promise<undefined> {
  const { flags, terminal, print } = context;
  const { baseURL } = await context.settings();
  const session = createSession({
    ...options,
    baseURL: baseURL.value,
    terminal,
    print,
    stream: !flags['no-stream'],
    save: !flags['no-history'],
    markdown: print.style.enabled && !flags.plain && flags.schema === undefined,
  });
  session.attached.push(...attachments);
  let models: Promise<readonly string[]> | undefined;
  const slashContext: SlashContext = { session, terminal, print, models: () => (models ??= listModels()) };
  const editor = await openEditor(terminal, (line) => completeSlashCommand(line, slashContext));
  await readMessages(session, editor, slashContext, prompt);
  return undefined;

  async function listModels(): Promise<readonly string[]> {
    const { data } = await createModels(await context.transport()).list();
    return data.map(({ id }) => id);
  }
}

async function readMessages(
  session: Session,
  editor: Editor,
  slashContext: SlashContext,
  prompt: string,
): Promise<void> {
  const { terminal, print } = slashContext;
  // The editor handles Ctrl-C at the prompt. One that arrives between reply and prompt must not end the program.
  const release = terminal.onInterrupt(() => undefined);
  let hasWarned = false;
  try {
    printGreeting(session, print);
    if (prompt !== '' || session.attached.length > 0) await session.send(prompt);
    for (;;) {
      const input = await editor.read(`${print.style('bold', '>')} `);
      if (input.type === 'end') {
        await print.raw('\n');
        return;
      }
      if (input.type === 'interrupt') {
        if (input.isEmpty && hasWarned) return;
        hasWarned = input.isEmpty;
        if (input.isEmpty) print.note('(Press Ctrl-C again or Ctrl-D to exit.)');
        continue;
      }
      hasWarned = false;
      const text = input.text.trim();
      if (text.startsWith('/') && !text.includes('\n')) {
        if (await runSlashCommand(text, slashContext)) return;
      } else if (text !== '') await session.send(input.text);
    }
  } finally {
    release();
    await editor.saveHistory();
  }
}

function printGreeting({ conversation: { model, messages } }: Session, print: Printer): void {
  print.note(`${model}. Type /help for commands, or press Ctrl-D to exit.`);
  const last = messages.at(-1);
  if (last !== undefined) print.note(`(${messages.length} messages. The last one: ${textOf(last).slice(0, 200)})`);
}
