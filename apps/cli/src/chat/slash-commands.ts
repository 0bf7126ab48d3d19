import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeError } from '../describe-error.ts';
import { nearest } from '@modelwire/schema/internal/nearest';
import { jsonOrText } from '../option-values.ts';
import type { Printer } from '../output/printer.ts';
import type { Terminal } from '../terminal.ts';
import { attachFile, attachImage } from './attachments.ts';
import { asMarkdown, newConversation, textOf } from './conversation.ts';
import type { Session } from './session.ts';

/** The context of a slash command. */
export interface SlashContext {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly print: Printer;
  /** IDs of the models of the server. */
  models(): Promise<readonly string[]>;
}

interface SlashCommand {
  readonly name: string;
  readonly argument?: string;
  readonly summary: string;
  readonly completes?: 'file' | 'model';
  /** Resolves with true to exit the chat. */
  run(argument: string, context: SlashContext): Promise<boolean | undefined>;
}

function attachCommand(name: string, attach: typeof attachFile): SlashCommand {
  return {
    name,
    argument: '<path>',
    summary: `attach ${name === 'image' ? 'an' : 'a'} ${name} to the next message`,
    completes: 'file',
    async run(path, { session, terminal, print }) {
      if (path === '') {
        print.warn(`Usage: /${name} <path>`);
        return undefined;
      }
      session.attached.push(await attach(path, terminal.cwd));
      print.note(`Attached ${basename(path)} to the next message.`);
      return undefined;
    },
  };
}

const slashCommands: readonly SlashCommand[] = [
  {
    name: 'help',
    summary: 'show this help',
    async run(_, { print }) {
      const usageOf = (each: SlashCommand): string =>
        `/${each.name}${each.argument === undefined ? '' : ` ${each.argument}`}`;
      const width = Math.max(...slashCommands.map((each) => usageOf(each).length));
      const rows = slashCommands.map((each) => `  ${usageOf(each).padEnd(width)}  ${each.summary}\n`);
      await print.raw(
        `${rows.join('')}\nEnd a line with \\ to continue it on the next one. Put a longer text between two lines of """.\nCtrl-C stops a reply. Ctrl-D, or Ctrl-C twice at an empty prompt, exits.\n`,
      );
    },
  },
  {
    name: 'model',
    argument: '[id]',
    summary: 'show or change the model',
    completes: 'model',
    async run(id, { session, print, models }) {
      if (id !== '') {
        const modelIds = await models().catch((): readonly string[] => []);
        if (modelIds.length > 0 && !modelIds.includes(id)) {
          const suggestion = nearest(id, modelIds);
          print.warn(
            `The server does not list the model ${id}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
          );
        }
        session.conversation = { ...session.conversation, model: id };
      }
      print.note(`Model: ${session.conversation.model}`);
    },
  },
  {
    name: 'models',
    summary: 'list the models of the server',
    async run(_, { print, models }) {
      await print.text(`${(await models()).join('\n')}\n`);
    },
  },
  {
    name: 'system',
    argument: '[text]',
    summary: 'show or change the system message; - removes it',
    async run(text, { session, print }) {
      if (text !== '') session.conversation = { ...session.conversation, system: text === '-' ? undefined : text };
      print.note(`System message: ${session.conversation.system ?? 'none'}`);
    },
  },
  attachCommand('file', attachFile),
  attachCommand('image', attachImage),
  {
    name: 'set',
    argument: '<name> <value>',
    summary: 'set a request parameter, such as temperature 0.2; - unsets it',
    async run(argument, { session, print }) {
      const [name = '', ...rest] = argument.split(/\s+/);
      const text = rest.join(' ');
      if (name !== '' && text !== '') {
        const { [name]: _, ...others }: Record<string, unknown> = { ...session.params };
        if (text === '-') session.params = others;
        else {
          const { checkParameter } = await import('./check-parameter.ts');
          const value = jsonOrText(text);
          checkParameter(name, value);
          session.params = { ...others, [name]: value };
        }
      }
      print.note(`Parameters: ${JSON.stringify(session.params)}`);
    },
  },
  {
    name: 'retry',
    summary: 'send the last message again',
    async run(_, { session, print }) {
      if (!(await session.retry())) print.warn('There is no message to send again.');
    },
  },
  {
    name: 'undo',
    summary: 'remove the last message and its reply',
    async run(_, { session, print }) {
      print.note(session.undo() ? 'Removed the last message.' : 'There is no message to remove.');
    },
  },
  {
    name: 'clear',
    summary: 'start a new chat',
    async run(_, { session, print }) {
      const { model, system } = session.conversation;
      session.conversation = newConversation(model, system);
      session.attached = [];
      print.note('Started a new chat.');
    },
  },
  {
    name: 'show',
    summary: 'print the chat',
    async run(_, { session, print }) {
      for (const message of session.conversation.messages) {
        await print.raw(`${print.style('dim', `${message.role}:`)} `);
        await print.text(`${textOf(message)}\n`);
      }
    },
  },
  {
    name: 'save',
    argument: '<file>',
    summary: 'write the chat to a file: Markdown, or JSON for .json',
    completes: 'file',
    async run(path, { session, terminal, print }) {
      if (path === '') {
        print.warn('Usage: /save <file>');
        return undefined;
      }
      const { conversation } = session;
      const text = path.endsWith('.json') ? `${JSON.stringify(conversation, null, 2)}\n` : asMarkdown(conversation);
      await writeFile(resolve(terminal.cwd, path), text, { flag: 'wx' });
      print.note(`Saved ${path}.`);
    },
  },
  {
    name: 'usage',
    summary: 'show the tokens of the last reply',
    async run(_, { session: { usage }, print }) {
      print.note(
        usage === undefined
          ? 'The server reported no usage.'
          : `${usage.prompt_tokens} input tokens, ${usage.completion_tokens} output tokens`,
      );
    },
  },
  { name: 'exit', summary: 'exit the chat', run: () => Promise.resolve(true) },
  { name: 'quit', summary: 'exit the chat', run: () => Promise.resolve(true) },
];

/** Runs a line that begins with a slash. Resolves with true to exit the chat. Never rejects. */
export async function runSlashCommand(line: string, context: SlashContext): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? [];
  const command = slashCommands.find((each) => each.name === name);
  if (command === undefined) {
    const suggestion = nearest(
      name,
      slashCommands.map((each) => each.name),
    );
    context.print.warn(
      `Unknown command /${name}. ${suggestion === undefined ? 'Type /help for a list.' : `Did you mean /${suggestion}?`}`,
    );
    return false;
  }
  try {
    return (await command.run(argument.trim(), context)) ?? false;
  } catch (error) {
    const { message, hint } = describeError(error);
    context.print.error(message, hint);
    return false;
  }
}

/** Completions of a line. */
export async function completeSlashCommand(
  line: string,
  { terminal, models }: SlashContext,
): Promise<readonly string[]> {
  const [, name = '', space, word = ''] = /^\/(\S*)(\s+)?(.*)$/.exec(line) ?? [];
  if (!line.startsWith('/')) return [];
  if (space === undefined) return slashCommands.map((each) => `/${each.name}`).filter((each) => each.startsWith(line));
  const kind = slashCommands.find((each) => each.name === name)?.completes;
  const words = kind === 'model' ? await models() : kind === 'file' ? await completePath(word, terminal.cwd) : [];
  return words.filter((each) => each.startsWith(word)).map((each) => `/${name} ${each}`);
}

async function completePath(word: string, cwd: string): Promise<string[]> {
  const folder = word.endsWith('/') ? word : dirname(word);
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true });
  return entries.map((entry) => {
    const path = word.includes('/') ? join(folder, entry.name) : entry.name;
    return entry.isDirectory() ? `${path}/` : path;
  });
}
