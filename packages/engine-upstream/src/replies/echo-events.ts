import type { ChatEvent, TextCompletionRequest } from '@modelwire/ports';
import { minLogprob } from './text-completion-choice.ts';

type TextEvent = Extract<ChatEvent, { readonly type: 'text' }>;

/**
 * Makes the first text of each choice an `echo` event: upstreams send the prompt and its log probabilities in the first chunks.
 * @param notEchoed Creates the error for a reply without the prompt, whose log probabilities would be taken for those of the prompt.
 */
export async function* echoEvents(
  events: AsyncIterable<readonly ChatEvent[]>,
  { prompt, logprobs }: Pick<TextCompletionRequest, 'prompt' | 'logprobs'>,
  notEchoed: () => Error,
): AsyncGenerator<readonly ChatEvent[], void, undefined> {
  const echoed = new Set<number>();
  const convert = (event: ChatEvent): ChatEvent => {
    if (event.type === 'finish' && !echoed.has(event.choice)) throw notEchoed();
    if (event.type !== 'text' || echoed.has(event.choice)) return event;
    const isEchoed =
      typeof prompt === 'string'
        ? event.text.startsWith(prompt)
        : !logprobs || (event.logprobs?.length ?? 0) >= prompt.length;
    if (!isEchoed) throw notEchoed();
    echoed.add(event.choice);
    return toEcho(event);
  };
  for await (const batch of events) yield batch.map(convert);
}

function toEcho({ choice, text, logprobs }: TextEvent): ChatEvent {
  const tokens = logprobs?.map((token, at) =>
    // The first token of a prompt follows nothing.
    at === 0 && token.logprob === minLogprob ? { ...token, logprob: null } : token,
  );
  return { type: 'echo', choice, text, ...(tokens && { logprobs: tokens }) };
}
