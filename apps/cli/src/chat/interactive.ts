import type { App } from '../app.ts';
import { textOf } from './conversation.ts';
import { openEditor } from './editor.ts';
import type { Editor } from './editor.ts';
import type { ChatFlags, ChatOptions } from './options.ts';
import type { Prompt } from './prompt.ts';
import { createSession } from './session.ts';
import type { Session } from './session.ts';
import { completeSlashCommand, runSlashCommand } from './slash-commands.ts';
import type { SlashContext } from './slash-commands.ts';

/** Runs an interactive chat until the user exits it. */
export async function startInteractiveChat(
  app: App,
  flags: ChatFlags,
  options: ChatOptions,
  { text, parts }: Prompt,
): Promise<void> {
  const { terminal, print } = app;
  const session = createSession(app, flags, options);
  session.attached.push(...parts);
  let models: Promise<readonly string[]> | undefined;
  const slashContext: SlashContext = { session, terminal, print, models: () => (models ??= listModels()) };
  const editor = await openEditor(terminal, (line) => completeSlashCommand(line, slashContext));
  await readMessages(session, editor, slashContext, text);

  async function listModels(): Promise<readonly string[]> {
    const { data } = await (await app.client()).models.list();
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
    const { model, messages } = session.conversation;
    print.note(`${model}. Type /help for commands, or press Ctrl-D to exit.`);
    const last = messages.at(-1);
    if (last !== undefined) print.note(`(${messages.length} messages. The last one: ${textOf(last).slice(0, 200)})`);
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
