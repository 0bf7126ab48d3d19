import { createChat } from '@modelwire/chat';
import type { ChatCompletionContentPart } from '@modelwire/chat';
import { usageError } from '../cli-error.ts';
import { contentOf } from '../chat/content.ts';
import { chatFlags } from '../chat/flags.ts';
import { findConversation, lastConversation, newConversation } from '../chat/conversation.ts';
import type { Conversation } from '../chat/conversation.ts';
import { resolveModel } from '../chat/resolve-model.ts';
import { printReply } from '../chat/print-reply.ts';
import { paramsOf } from '../chat/request.ts';
import type { CommandTool, ToolContext } from '../chat/tools.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../command.ts';
import { readStdin } from '../stdin.ts';

export const command = defineCommand({
  arguments: [{ name: 'prompt', optional: true, multiple: true, description: 'Message; text from stdin is prepended' }],
  flags: chatFlags,
  description: `Without a prompt on a terminal, starts an interactive chat; type /help for its commands. Ctrl-C stops a reply. Replies are streamed.
Markdown is rendered on a terminal and unchanged in a pipe.`,
  examples: [
    { what: 'Ask a question', line: 'modelwire chat "Why is the sky blue?"' },
    { what: 'Pipe in text', line: 'git diff | modelwire chat "Write a commit message for this"' },
    { what: 'Start an interactive chat', line: 'modelwire chat --model simulator --system "Answer in one sentence."' },
    {
      what: 'Get JSON that matches a schema',
      line: `modelwire chat "Ada Lovelace, 1815" --schema '{"type":"object","properties":{"name":{"type":"string"},"born":{"type":"integer"}},"required":["name","born"],"additionalProperties":false}'`,
    },
    { what: 'Attach files', line: 'modelwire chat "What is this?" --image photo.jpg --file notes.md' },
    {
      what: 'Let the model call a command',
      line: `modelwire chat "How warm is it in Paris?" --tool 'weather(city) = ./weather.sh {city}'`,
    },
  ],
  async run(context) {
    const { args, flags, terminal } = context;
    if (flags.chunks && flags['no-stream']) throw usageError('Options --chunks and --no-stream cannot be combined.');
    const params = await paramsOf(flags, terminal.cwd);
    const tools = await toolsOf(context);
    const parts = await partsOf(context);
    const piped =
      terminal.isTTY.stdin || flags['no-stdin'] || flags['key-file'] === '-'
        ? ''
        : (await readStdin(terminal)).replace(/\n$/, '');
    const prompt = [piped, args.join(' ')].filter((text) => text !== '').join('\n\n');
    const content = contentOf(prompt, parts);
    const isInteractive = flags.interactive || (content === '' && terminal.isTTY.stdin && terminal.isTTY.stdout);
    if (isInteractive && !terminal.isTTY.stdin)
      throw usageError('An interactive chat requires a terminal.', 'Pass a prompt: modelwire chat "<prompt>"');
    if (content === '' && !isInteractive)
      throw usageError('Missing prompt.', 'Pass a prompt, or pipe text: modelwire chat "<prompt>"');

    const conversation = await conversationOf(context);
    const chat = createChat(await context.transport());
    const maxSteps = flags['max-steps'] ?? 10;
    const approve = flags.approve ? await createApproval(context) : undefined;
    const options = { chat, conversation, params, tools, maxSteps, approve };
    if (isInteractive) {
      const { startInteractiveChat } = await import('../chat/interactive.ts');
      return startInteractiveChat(context, options, prompt, parts);
    }
    const messages = [...conversation.messages, { role: 'user' as const, content }];
    return printReply(context, { ...options, conversation: { ...conversation, messages } });
  },
});

/** A new conversation or a saved one. Options override its model and system message. */
async function conversationOf(context: Context<typeof chatFlags>): Promise<Conversation> {
  const { flags, terminal, signal } = context;
  const settings = await context.settings();
  const saved =
    flags.resume !== undefined
      ? await findConversation(terminal, flags.resume)
      : flags.continue
        ? await lastConversation(terminal)
        : undefined;
  if (saved !== undefined) {
    return { ...saved, model: flags.model ?? saved.model, system: flags.system ?? saved.system };
  }
  if (flags.continue) throw usageError('There is no saved chat to continue.');
  const model = await resolveModel(flags.model, settings, await context.transport(), signal);
  return newConversation(model, flags.system ?? settings.system);
}

/** Asks the user before a tool is run. */
async function createApproval({ terminal }: Context): Promise<ToolContext['approve']> {
  if (!terminal.isTTY.stdin) throw usageError('Option --approve requires a terminal.');
  const { askYesNo } = await import('../chat/approval.ts');
  return (name, words) => askYesNo(terminal, `Run ${name}: ${words.join(' ')}?`);
}

// Modules that not every chat needs are imported on use, which shortens the time to the first token.

async function toolsOf({ flags, terminal }: Context<typeof chatFlags>): Promise<readonly CommandTool[]> {
  if (flags.tool.length === 0) return [];
  const { readTool } = await import('../chat/tools.ts');
  return Promise.all(flags.tool.map((spec) => readTool(spec, terminal.cwd)));
}

async function partsOf({ flags, terminal }: Context<typeof chatFlags>): Promise<ChatCompletionContentPart[]> {
  if (flags.file.length + flags.image.length === 0) return [];
  const { attachFile, attachImage } = await import('../chat/attachments.ts');
  return Promise.all([
    ...flags.file.map((path) => attachFile(path, terminal.cwd)),
    ...flags.image.map((path) => attachImage(path, terminal.cwd)),
  ]);
}
