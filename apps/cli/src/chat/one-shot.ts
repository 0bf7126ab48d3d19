import type { ChatClient } from '@modelwire/chat';
import type { globalFlags, Values } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Printer } from '../output/printer.ts';
import type { Terminal } from '../terminal.ts';
import type { chatFlags } from './flags.ts';
import { reply } from './reply.ts';
import type { Reply, Turn } from './reply.ts';
import { createSpeaker } from './speaker.ts';
import { runnable } from './tools.ts';
import type { CommandTool } from './tools.ts';

export interface OneShot {
  readonly chat: ChatClient;
  readonly turn: Turn;
  readonly tools: readonly CommandTool[];
  readonly flags: Values<typeof chatFlags> & Values<typeof globalFlags>;
  readonly terminal: Terminal;
  readonly print: Printer;
  readonly signal: AbortSignal;
}

/** One answer, and its exit code: a refusal and an answer that was cut are told apart from one that is whole. */
export async function oneShot({ chat, turn, tools, flags, terminal, print, signal }: OneShot): Promise<number> {
  const silent = print.json || flags.chunks;
  const speaker = createSpeaker(print, {
    markdown: terminal.isTTY.stdout && print.style.enabled && !flags.plain && flags.schema === undefined,
    silent,
    columns: () => terminal.columns(),
  });
  const runnables = tools.map((tool) => runnable(tool, { cwd: terminal.cwd, env: terminal.env }));
  let refusal = '';
  const answer = await reply(
    chat,
    { ...turn, tools: runnables },
    {
      text: (delta) => speaker.say(delta),
      refusal: (delta) => void (refusal += delta),
      ...(flags.chunks && { chunk: (chunk) => print.value(chunk) }),
      call: (name, input) => print.note(`→ ${name} ${input}`),
      pause: () => speaker.end(),
    },
    signal,
  );
  await speaker.end();
  if (print.json && !flags.chunks) await print.value(answer.completion);
  return verdict(answer, refusal, print, flags.verbose);
}

function verdict({ completion, cut }: Reply, refusal: string, print: Printer, verbose: boolean): number {
  const { usage, choices } = completion;
  if (verbose && usage !== undefined) {
    print.note(`${completion.model}: ${usage.prompt_tokens} tokens in, ${usage.completion_tokens} out`);
  }
  if (refusal !== '') {
    print.warn(`the model refuses: ${refusal}`);
    return EXIT.bad;
  }
  const why = choices[0]?.finish_reason;
  if (why === 'length') print.warn('the answer was cut: it reached the limit of tokens (--max-tokens)');
  else if (why === 'content_filter') print.warn('the answer was cut: a filter of content held it back');
  else if (cut) print.warn('the model still wanted to call tools when the limit of steps was reached (--max-steps)');
  else return EXIT.ok;
  return EXIT.bad;
}
