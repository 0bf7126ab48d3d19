import { usageError } from '../cli-error.ts';
import type { App, Define } from '../app.ts';
import { askYesNo } from '../chat/approval.ts';
import { findConversation, lastConversation, newConversation } from '../chat/conversation.ts';
import type { Conversation } from '../chat/conversation.ts';
import { withChatOptions } from '../chat/options.ts';
import type { ChatFlags } from '../chat/options.ts';
import { printReply } from '../chat/print-reply.ts';
import { contentOf, readPrompt } from '../chat/prompt.ts';
import { paramsOf } from '../chat/request.ts';
import { resolveModel } from '../chat/resolve-model.ts';
import { readTool } from '../chat/tools.ts';
import { withExamples } from '../subcommand.ts';

export const define: Define = (command, app) => {
  withExamples(withChatOptions(command), {
    'Ask a question': 'modelwire chat "Why is the sky blue?"',
    'Pipe in text': 'git diff | modelwire chat "Write a commit message for this"',
    'Start an interactive chat': 'modelwire chat --model simulator --system "Answer in one sentence."',
    'Get JSON that matches a schema': `modelwire chat "Ada Lovelace, 1815" --schema '{"type":"object","properties":{"name":{"type":"string"},"born":{"type":"integer"}},"required":["name","born"],"additionalProperties":false}'`,
    'Attach files': 'modelwire chat "What is this?" --image photo.jpg --file notes.md',
    'Let the model call a command': `modelwire chat "How warm is it in Paris?" --tool 'weather(city) = ./weather.sh {city}'`,
  })
    .description(
      `Without a prompt on a terminal, starts an interactive chat; type /help for its commands. Ctrl-C stops a reply. Replies are streamed. Markdown is rendered on a terminal and unchanged in a pipe.`,
    )
    .argument('[prompt...]', 'Message; text from stdin is prepended')
    .action((words, flags) => chat(app, words, flags));
};

async function chat(app: App, words: readonly string[], flags: ChatFlags): Promise<void> {
  const { terminal } = app;
  const { cwd, isTTY } = terminal;
  if (flags.chunks && !flags.stream) throw usageError('Options --chunks and --no-stream cannot be combined.');
  if (flags.approve && !isTTY.stdin) throw usageError('Option --approve requires a terminal.');
  const params = await paramsOf(flags, cwd);
  const tools = await Promise.all((flags.tool ?? []).map((spec) => readTool(spec, cwd)));
  const prompt = await readPrompt(app, words, flags);
  const content = contentOf(prompt);
  const isInteractive = flags.interactive ?? (content === '' && isTTY.stdin && isTTY.stdout);
  if (isInteractive && !isTTY.stdin)
    throw usageError('An interactive chat requires a terminal.', 'Pass a prompt: modelwire chat "<prompt>"');
  if (content === '' && !isInteractive)
    throw usageError('Missing prompt.', 'Pass a prompt, or pipe text: modelwire chat "<prompt>"');

  const conversation = await conversationOf(app, flags);
  const options = {
    ...{ chat: (await app.client()).chat, conversation, params, tools, maxSteps: flags.maxSteps ?? 10 },
    approve: flags.approve
      ? (name: string, command: readonly string[]) => askYesNo(terminal, `Run ${name}: ${command.join(' ')}?`)
      : undefined,
  };
  if (isInteractive) {
    const { startInteractiveChat } = await import('../chat/interactive.ts');
    return startInteractiveChat(app, flags, options, prompt);
  }
  const messages = [...conversation.messages, { role: 'user' as const, content }];
  app.exitCode = await printReply(app, flags, { ...options, conversation: { ...conversation, messages } });
}

/** A new conversation or a saved one. Options override its model and system message. */
async function conversationOf(app: App, flags: ChatFlags): Promise<Conversation> {
  const { terminal } = app;
  const saved =
    flags.resume !== undefined
      ? await findConversation(terminal, flags.resume)
      : flags.continue && (await lastConversation(terminal));
  if (saved) return { ...saved, model: flags.model ?? saved.model, system: flags.system ?? saved.system };
  if (flags.continue) throw usageError('There is no saved chat to continue.');
  const { system } = await app.settings();
  return newConversation(await resolveModel(app, flags.model), flags.system ?? system);
}
