import type { App } from '../app.ts';
import { EXIT } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { parseJson } from '../json.ts';
import type { Printer } from '../output/printer.ts';
import { saveConversation } from './conversation.ts';
import type { ChatFlags, ChatOptions } from './options.ts';
import { reply } from './reply.ts';
import type { Reply } from './reply.ts';
import { openReplyWriter } from './reply-writer.ts';

/** Prints one reply and returns the exit code: 10 for a refusal, a truncated reply, or invalid JSON where JSON was required. */
export async function printReply(app: App, flags: ChatFlags, options: ChatOptions): Promise<ExitCode> {
  const { terminal, print, signal } = app;
  const { conversation } = options;
  const writer = await openReplyWriter(app, flags, { silent: print.json || flags.chunks === true });
  let refusal = '';
  const result = await reply(
    app,
    flags,
    options,
    {
      text: (delta) => writer.write(delta),
      refusal: async (delta) => void (refusal += delta),
      ...(flags.chunks && { chunk: (chunk) => print.value(chunk) }),
      call: (name, input) => print.note(`→ ${name} ${input}`),
      pause: () => writer.end(),
    },
    signal,
  );
  await writer.end();
  if (print.json && !flags.chunks) await print.value(result.completion);
  if (flags.history) {
    const messages = [...conversation.messages, ...result.messages];
    // A full or read-only disk is not an error: the reply was printed.
    await saveConversation(terminal, { ...conversation, messages }).catch(() => undefined);
  }
  const { usage, model } = result.completion;
  if (app.options.verbose && usage) {
    print.note(`${model}: ${usage.prompt_tokens} input tokens, ${usage.completion_tokens} output tokens`);
  }
  return reportEnd(result, refusal, print, flags);
}

function reportEnd(
  { completion, reachedMaxSteps }: Reply,
  refusal: string,
  print: Printer,
  flags: ChatFlags,
): ExitCode {
  const [choice] = completion.choices;
  const reason = choice?.finish_reason;
  if (refusal !== '') print.warn(`The model refused: ${refusal}`);
  else if (flags.schema !== undefined && parseJson(choice?.message.content ?? '') === undefined) {
    const why =
      reason === 'length' ? 'it reached the token limit' : 'the model or the server does not support --schema';
    print.warn(`The reply is not valid JSON: ${why}.`);
  } else if (reason === 'length' && flags.maxTokens !== undefined) {
    print.note(`The reply reached the limit of ${flags.maxTokens} tokens (--max-tokens).`);
    return EXIT.ok;
  } else if (reason === 'length') print.warn('The reply is truncated: it reached the token limit of the server.');
  else if (reason === 'content_filter') print.warn('The reply is truncated by the content filter.');
  else if (reachedMaxSteps) print.warn('The model requested more tool calls than --max-steps allows.');
  else return EXIT.ok;
  return EXIT.unsuccessful;
}
