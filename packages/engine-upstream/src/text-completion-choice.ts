import { isRecord } from '@modelwire/ports';

type Fields = Readonly<Record<string, unknown>>;

/** Log probability of tokens that have none, such as a token outside the most likely ones. */
const floor = -9999;

/** Converts a choice of a legacy completion chunk to a choice of a chat chunk. */
export function asChatChoice({ text, logprobs, ...rest }: Fields): Fields {
  return {
    ...rest,
    delta: typeof text === 'string' && text !== '' ? { content: text } : {},
    ...(isRecord(logprobs) && { logprobs: { content: contentOf(logprobs) } }),
  };
}

/** llama.cpp sends the log probabilities of legacy completions in the format of chat completions. */
function contentOf(logprobs: Fields): unknown {
  if (Array.isArray(logprobs['content'])) return logprobs['content'];
  const tokens = listOf(logprobs['tokens']);
  const own = listOf(logprobs['token_logprobs']);
  const top = listOf(logprobs['top_logprobs']);
  return tokens.map((token, at) => ({
    token,
    logprob: own[at] ?? floor,
    bytes: null,
    top_logprobs: Object.entries(isRecord(top[at]) ? top[at] : {}).map(([name, logprob]) => ({
      token: name,
      logprob,
      bytes: null,
    })),
  }));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
