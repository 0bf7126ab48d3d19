import type { RunnableTool } from '@modelwire/chat/tools';
import type { Context } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Printer } from '../output/printer.ts';
import type { Terminal } from '../terminal.ts';
import type { chatFlags } from './flags.ts';
import { requestMessages, saveConversation } from './conversation.ts';
import type { ChatOptions } from './options.ts';
import { reply } from './reply.ts';
import type { Reply } from './reply.ts';
import { openReplyWriter } from './reply-writer.ts';

/** Prints one reply and returns the exit code: 10 for a refusal, a truncated reply, or invalid JSON where JSON was required. */
export async function printReply(context: Context<typeof chatFlags>, options: ChatOptions): Promise<number> {
  const { flags, terminal, print, signal } = context;
  const { chat, conversation, params, maxSteps, tools } = options;
  const silent = print.json || flags.chunks;
  const writer = await openReplyWriter(print, {
    markdown: terminal.isTTY.stdout && print.style.enabled && !flags.plain && flags.schema === undefined,
    silent,
    columns: () => terminal.columns(),
  });
  const runnables = tools.length === 0 ? [] : await runnablesOf(terminal, options);
  let refusal = '';
  const result = await reply(
    chat,
    {
      model: conversation.model,
      messages: requestMessages(conversation),
      params,
      tools: runnables,
      maxSteps,
      stream: !flags['no-stream'],
    },
    {
      text: (delta) => writer.write(delta),
      refusal: async (delta) => {
        refusal += delta;
      },
      ...(flags.chunks && { chunk: (chunk) => print.value(chunk) }),
      call: (name, input) => print.note(`→ ${name} ${input}`),
      pause: () => writer.end(),
    },
    signal,
  );
  await writer.end();
  if (print.json && !flags.chunks) await print.value(result.completion);
  if (!flags['no-history']) {
    const messages = [...conversation.messages, ...result.messages];
    // A full or read-only disk is not an error: the reply was printed.
    await saveConversation(terminal, { ...conversation, messages }).catch(() => undefined);
  }
  return exitCodeOf(result, refusal, print, flags);
}

async function runnablesOf({ cwd, env }: Terminal, { tools, approve }: ChatOptions): Promise<RunnableTool[]> {
  const { runnable } = await import('./tools.ts');
  return tools.map((tool) => runnable(tool, { cwd, env, approve }));
}

function exitCodeOf(
  { completion, reachedMaxSteps }: Reply,
  refusal: string,
  print: Printer,
  { verbose, schema, 'max-tokens': maxTokens }: Context<typeof chatFlags>['flags'],
): number {
  const { usage, choices } = completion;
  if (verbose && usage !== undefined) {
    print.note(`${completion.model}: ${usage.prompt_tokens} input tokens, ${usage.completion_tokens} output tokens`);
  }
  if (refusal !== '') {
    print.warn(`The model refused: ${refusal}`);
    return EXIT.unsuccessful;
  }
  const reason = choices[0]?.finish_reason;
  if (schema !== undefined && !isJson(choices[0]?.message.content)) {
    print.warn(
      reason === 'length'
        ? 'The reply is not valid JSON: it reached the token limit.'
        : 'The reply is not valid JSON: the model or the server does not support --schema.',
    );
  } else if (reason === 'length' && maxTokens !== undefined) {
    print.note(`The reply reached the limit of ${maxTokens} tokens (--max-tokens).`);
    return EXIT.ok;
  } else if (reason === 'length') print.warn('The reply is truncated: it reached the token limit of the server.');
  else if (reason === 'content_filter') print.warn('The reply is truncated by the content filter.');
  else if (reachedMaxSteps) print.warn('The model requested more tool calls than --max-steps allows.');
  else return EXIT.ok;
  return EXIT.unsuccessful;
}

function isJson(text: string | null | undefined): boolean {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}
