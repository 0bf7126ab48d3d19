import { createChat } from '@modelwire/chat';
import { attachFile, attachImage, contentOf } from '../chat/attachments.ts';
import { chatFlags } from '../chat/flags.ts';
import { modelOf } from '../chat/models.ts';
import { oneShot } from '../chat/one-shot.ts';
import { paramsOf } from '../chat/request.ts';
import { readTool } from '../chat/tools.ts';
import { defineCommand } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readStdin } from '../stdin.ts';

export const command = defineCommand({
  arguments: [
    { name: 'prompt', optional: true, multiple: true, description: 'what to say; what is piped in goes before it' },
  ],
  flags: chatFlags,
  description: `Without a prompt, on a terminal, it is a conversation: /help there tells its commands. Ctrl-C ends a reply, and at an empty
prompt the chat. Answers are written as they come; Markdown is rendered for people and left as it is in pipes.`,
  examples: [
    { what: 'One answer', line: 'modelwire chat "Why is the sky blue?"' },
    { what: 'Something piped in', line: 'git diff | modelwire chat "Write a commit message for this"' },
    { what: 'A conversation', line: 'modelwire chat --model simulator --system "Answer in one sentence."' },
    {
      what: 'JSON of a schema',
      line: `modelwire chat "Ada Lovelace, 1815" --schema '{"type":"object","properties":{"name":{"type":"string"},"born":{"type":"integer"}},"required":["name","born"],"additionalProperties":false}'`,
    },
    { what: 'Attached', line: 'modelwire chat "What is this?" --image photo.jpg --file notes.md' },
    {
      what: 'A command as a tool',
      line: `modelwire chat "How warm is it in Paris?" --tool 'weather(city) = ./weather.sh {city}'`,
    },
  ],
  async run(context) {
    const { args, flags, terminal, print, signal } = context;
    const params = await paramsOf(flags, terminal.cwd);
    const tools = await Promise.all(flags.tool.map((spec) => readTool(spec, terminal.cwd)));
    const parts = await Promise.all([
      ...flags.file.map((path) => attachFile(path, terminal.cwd)),
      ...flags.image.map((path) => attachImage(path, terminal.cwd)),
    ]);
    const piped =
      terminal.isTTY.stdin || flags['key-file'] === '-' ? '' : (await readStdin(terminal)).replace(/\n$/, '');
    const prompt = [piped, args.join(' ')].filter((text) => text !== '').join('\n\n');
    const content = contentOf(prompt, parts);
    if (content === '') throw usageFailure('There is nothing to say', 'Give a prompt, or pipe one in.');

    const settings = await context.settings();
    const transport = await context.transport();
    const model = await modelOf(flags.model, settings, transport, signal);
    const system = flags.system ?? settings.system;
    const opening = system === undefined ? [] : [{ role: 'system' as const, content: system }];
    return oneShot({
      chat: createChat(transport),
      turn: {
        model,
        messages: [...opening, { role: 'user', content }],
        params,
        tools: [],
        maxSteps: flags['max-steps'] ?? 10,
        stream: !flags['no-stream'],
      },
      tools,
      flags,
      terminal,
      print,
      signal,
    });
  },
});
