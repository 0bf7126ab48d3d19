import type { ChatClient, ChatCompletionContentPart } from '@modelwire/chat';
import { createModels } from '@modelwire/models';
import type { Context } from '../command.ts';
import type { Conversation } from './conversation.ts';
import { openEditor } from './editor.ts';
import type { chatFlags } from './flags.ts';
import { talk } from './interactive.ts';
import type { ChatParams } from './request.ts';
import { createSession } from './session.ts';
import { completeSlash } from './slash-commands.ts';
import type { SlashContext } from './slash-commands.ts';
import type { CommandTool, ToolContext } from './tools.ts';

export interface Beginning {
  readonly chat: ChatClient;
  readonly conversation: Conversation;
  readonly params: ChatParams;
  readonly tools: readonly CommandTool[];
  readonly maxSteps: number;
  readonly approve: ToolContext['approve'];
  readonly prompt: string;
  readonly parts: readonly ChatCompletionContentPart[];
}

/** A conversation at a terminal, from its beginning to its end. */
export async function converse(context: Context<typeof chatFlags>, beginning: Beginning): Promise<undefined> {
  const { flags, terminal, print } = context;
  const { chat, conversation, params, tools, maxSteps, approve, prompt, parts } = beginning;
  const markdown = print.style.enabled && !flags.plain && flags.schema === undefined;
  const session = createSession(
    {
      chat,
      terminal,
      print,
      stream: !flags['no-stream'],
      keep: !flags['no-history'],
      markdown,
      maxSteps,
      tools,
      approve,
    },
    conversation,
    params,
  );
  session.attached.push(...parts);
  let models: Promise<readonly string[]> | undefined;
  const slash: SlashContext = {
    session,
    terminal,
    print,
    models: () => (models ??= listModels()),
  };
  const editor = await openEditor(terminal, (line) => completeSlash(line, slash));
  await talk({ session, editor, terminal, print, slash, first: prompt });
  return undefined;

  async function listModels(): Promise<readonly string[]> {
    const { data } = await createModels(await context.transport()).list();
    return data.map(({ id }) => id);
  }
}
