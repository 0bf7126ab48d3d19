import { isRecord } from '@modelwire/adapter-kit';

type Fields = Readonly<Record<string, unknown>>;

/** Log probability of tokens that have none, such as a token outside the most likely ones. */
export const minLogprob = -9999;

/** Converts a choice of a legacy completion chunk to a choice of a chat chunk. */
export function toChatChoice({ text, logprobs, ...rest }: Fields): Fields {
  return {
    ...rest,
    delta: typeof text === 'string' && text !== '' ? { content: text } : {},
    ...(isRecord(logprobs) && { logprobs: { content: toTokenLogprobs(logprobs) } }),
  };
}

/** llama.cpp sends the log probabilities of legacy completions in the format of chat completions. */
export function toTokenLogprobs(logprobs: Fields): unknown {
  if (Array.isArray(logprobs['content'])) return logprobs['content'];
  const tokens = arrayOrEmpty(logprobs['tokens']);
  const tokenLogprobs = arrayOrEmpty(logprobs['token_logprobs']);
  const topLogprobs = arrayOrEmpty(logprobs['top_logprobs']);
  return tokens.map((token, at) => ({
    token,
    logprob: tokenLogprobs[at] ?? minLogprob,
    bytes: null,
    top_logprobs: Object.entries(isRecord(topLogprobs[at]) ? topLogprobs[at] : {}).map(([name, logprob]) => ({
      token: name,
      logprob,
      bytes: null,
    })),
  }));
}

const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
