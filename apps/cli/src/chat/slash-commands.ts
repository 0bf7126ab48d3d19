import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../nearest.ts';
import type { Printer } from '../output/printer.ts';
import { tell } from '../telling.ts';
import type { Terminal } from '../terminal.ts';
import { attachFile, attachImage } from './attachments.ts';
import { asMarkdown, newConversation, textOf } from './conversation.ts';
import type { Session } from './session.ts';

/** What a slash command works on. */
export interface SlashContext {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly print: Printer;
  /** Ids of the server's models. */
  models(): Promise<readonly string[]>;
}

interface SlashCommand {
  readonly name: string;
  readonly takes?: string;
  readonly summary: string;
  readonly completes?: 'file' | 'model';
  /** True ends the chat. */
  run(argument: string, context: SlashContext): Promise<boolean | undefined>;
}

export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'help',
    summary: 'these commands',
    async run(_, { print }) {
      const left = (each: SlashCommand): string => `/${each.name}${each.takes === undefined ? '' : ` ${each.takes}`}`;
      const width = Math.max(...slashCommands.map((each) => left(each).length));
      const rows = slashCommands.map((each) => `  ${left(each).padEnd(width)}  ${each.summary}\n`);
      await print.raw(
        `${rows.join('')}\nA line that ends in \\ goes on; """ alone on a line begins and ends a longer text.\nCtrl-C stops a reply, and twice at an empty prompt the chat; Ctrl-D ends it.\n`,
      );
      return undefined;
    },
  },
  {
    name: 'model',
    takes: '[id]',
    summary: 'the model: which it is, or another one',
    completes: 'model',
    async run(id, { session, print, models }) {
      if (id !== '') {
        const known = await models().catch((): readonly string[] => []);
        if (known.length > 0 && !known.includes(id)) {
          const meant = nearest(id, known);
          print.warn(`the server lists no ${id}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
        }
        session.conversation = { ...session.conversation, model: id };
      }
      print.note(`model: ${session.conversation.model}`);
      return undefined;
    },
  },
  {
    name: 'models',
    summary: 'the models of the server',
    async run(_, { print, models }) {
      await print.text(`${(await models()).join('\n')}\n`);
      return undefined;
    },
  },
  {
    name: 'system',
    takes: '[text]',
    summary: 'what the model is told before all else; - for nothing',
    async run(text, { session, print }) {
      if (text !== '') session.conversation = { ...session.conversation, system: text === '-' ? undefined : text };
      print.note(`system: ${session.conversation.system ?? 'nothing'}`);
      return undefined;
    },
  },
  {
    name: 'file',
    takes: '<path>',
    summary: 'attach a file to the next message',
    completes: 'file',
    async run(path, { session, terminal, print }) {
      if (path === '') print.warn('which file?');
      else {
        session.attached.push(await attachFile(path, terminal.cwd));
        print.note(`attached: ${basename(path)}`);
      }
      return undefined;
    },
  },
  {
    name: 'image',
    takes: '<path>',
    summary: 'attach an image to the next message',
    completes: 'file',
    async run(path, { session, terminal, print }) {
      if (path === '') print.warn('which image?');
      else {
        session.attached.push(await attachImage(path, terminal.cwd));
        print.note(`attached: ${basename(path)}`);
      }
      return undefined;
    },
  },
  {
    name: 'set',
    takes: '<name> <value>',
    summary: 'a parameter: /set temperature 0.2; - takes it away',
    async run(argument, { session, print }) {
      const [name = '', ...rest] = argument.split(/\s+/);
      const text = rest.join(' ');
      if (name !== '' && text !== '') {
        const { [name]: _, ...others }: Record<string, unknown> = { ...session.params };
        session.params = text === '-' ? others : { ...others, [name]: readValue(text) };
      }
      print.note(`parameters: ${JSON.stringify(session.params)}`);
      return undefined;
    },
  },
  {
    name: 'retry',
    summary: 'another answer to the last message',
    async run(_, { session, print }) {
      if (!(await session.retry())) print.warn('nothing was said yet');
      return undefined;
    },
  },
  {
    name: 'undo',
    summary: 'take the last message and its answer back',
    async run(_, { session, print }) {
      print.note(session.undo() ? 'taken back' : 'nothing was said yet');
      return undefined;
    },
  },
  {
    name: 'clear',
    summary: 'begin anew',
    async run(_, { session, print }) {
      const { model, system } = session.conversation;
      session.conversation = newConversation(model, system);
      session.attached = [];
      print.note('a new chat');
      return undefined;
    },
  },
  {
    name: 'show',
    summary: 'what was said so far',
    async run(_, { session, print }) {
      for (const message of session.conversation.messages) {
        await print.raw(`${print.style('dim', `${message.role}:`)} `);
        await print.text(`${textOf(message)}\n`);
      }
      return undefined;
    },
  },
  {
    name: 'save',
    takes: '<file>',
    summary: 'write the chat to a file: Markdown, or JSON where it ends in .json',
    completes: 'file',
    async run(path, { session, terminal, print }) {
      if (path === '') {
        print.warn('into which file?');
        return undefined;
      }
      const { conversation } = session;
      const text = path.endsWith('.json') ? `${JSON.stringify(conversation, null, 2)}\n` : asMarkdown(conversation);
      await writeFile(resolve(terminal.cwd, path), text, { flag: 'wx' });
      print.note(`saved: ${path}`);
      return undefined;
    },
  },
  {
    name: 'usage',
    summary: 'tokens of the last answer',
    async run(_, { session: { usage }, print }) {
      print.note(
        usage === undefined ? 'nothing is known' : `${usage.prompt_tokens} in, ${usage.completion_tokens} out`,
      );
      return undefined;
    },
  },
  { name: 'exit', summary: 'the end', run: () => Promise.resolve(true) },
  { name: 'quit', summary: 'the end', run: () => Promise.resolve(true) },
];

/** Runs a line that begins with a slash. True ends the chat. Never rejects. */
export async function runSlash(line: string, context: SlashContext): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([^]*)$/.exec(line) ?? [];
  const found = slashCommands.find((each) => each.name === name);
  if (found === undefined) {
    const meant = nearest(
      name,
      slashCommands.map((each) => each.name),
    );
    context.print.warn(`there is no /${name}; ${meant === undefined ? '/help lists them' : `did you mean /${meant}?`}`);
    return false;
  }
  try {
    return (await found.run(argument.trim(), context)) ?? false;
  } catch (error) {
    const { message, hint } = tell(error);
    context.print.error(message, hint);
    return false;
  }
}

/** Lines that this one may become. */
export async function completeSlash(line: string, { terminal, models }: SlashContext): Promise<readonly string[]> {
  const [, name = '', space, word = ''] = /^\/(\S*)(\s+)?(.*)$/.exec(line) ?? [];
  if (!line.startsWith('/')) return [];
  if (space === undefined) return slashCommands.map((each) => `/${each.name}`).filter((each) => each.startsWith(line));
  const kind = slashCommands.find((each) => each.name === name)?.completes;
  const words = kind === 'model' ? await models() : kind === 'file' ? await pathsLike(word, terminal.cwd) : [];
  return words.filter((each) => each.startsWith(word)).map((each) => `/${name} ${each}`);
}

async function pathsLike(word: string, cwd: string): Promise<string[]> {
  const folder = word.endsWith('/') ? word : dirname(word);
  const found = await readdir(resolve(cwd, folder), { withFileTypes: true });
  return found.map((entry) => {
    const path = word.includes('/') ? join(folder, entry.name) : entry.name;
    return entry.isDirectory() ? `${path}/` : path;
  });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
