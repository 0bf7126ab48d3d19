import type { ChatEngine, EngineContext, GenerationObservation } from '@modelwire/ports';
import type { CompletionUsage, TokenLogprob } from '@modelwire/schema/types';
import { noTextCompletions } from './failures.ts';
import type { Question, ReceivedReply } from './inquiry.ts';

/** Maximum characters of a reply. A verdict has about 400; the rest is for reasoning. */
const maxCharacters = 65_536;

/** The complete text of a reply, or why there is none. */
export type Reply =
  (ReceivedReply & { readonly problem?: undefined }) | { readonly text?: undefined; readonly problem: string };

/** What the observer of a generation receives at its end. Filled in while the reply is read. */
export interface ReplyMetadata {
  usage: CompletionUsage | undefined;
  readonly finishReasons: string[];
}

/** Collects the reply of the engine to a question. */
export async function readReply(
  engine: Pick<ChatEngine, 'generate' | 'complete'>,
  { request, prompt }: Question,
  context: EngineContext & { readonly observer?: GenerationObservation | undefined },
  metadata: ReplyMetadata,
): Promise<Reply> {
  const { observer } = context;
  const events =
    prompt === undefined
      ? engine.generate(request, context)
      : engine.complete?.({ ...request, prompt, suffix: undefined, echo: false }, context);
  if (!events) throw noTextCompletions(request.model);
  let text = '';
  const tokens: TokenLogprob[] = [];
  let problem: string | undefined;
  let hasEnded = false;
  for await (const some of events) {
    context.signal.throwIfAborted();
    for (const event of [some].flat()) {
      observer?.onEvent?.(event);
      if (event.type === 'usage') metadata.usage = event.usage;
      else if (event.type === 'text') {
        text += event.text;
        tokens.push(...(event.logprobs ?? []));
      } else if (event.type === 'refusal') problem ??= 'it was a refusal';
      else if (event.type === 'tool_call' || event.type === 'function_call') problem ??= 'it called a tool';
      else if (event.type === 'finish') {
        metadata.finishReasons.push(event.reason);
        if (event.reason !== 'stop') problem ??= `it ended with the finish reason '${event.reason}'`;
        hasEnded = true;
      }
      if (text.length > maxCharacters) return { problem: 'it was too long' };
    }
    if (problem !== undefined && !hasEnded) return { problem };
  }
  if (problem !== undefined) return { problem };
  return hasEnded ? { text, tokens } : { problem: 'it was incomplete' };
}
