import { isRecord } from '@modelwire/adapter-kit';
import { objectItems } from '../requests/json.ts';
import { minLogprob, toTokenLogprobs } from './text-completion-choice.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Tokens such as `</s>`, `<|im_end|>`, `<end_of_turn>` and `[EOS]`. */
const controlToken = /^(?:<[^<>\s]+>|\[[^[\]\s]+\])$/;

/**
 * A choice whose log probabilities are in the form of chat completions; the same choice if they are already. Some servers send those of legacy
 * completions, and null where a probability is 0.
 */
export function withTokenLogprobs(choice: Fields): Fields {
  const { logprobs } = choice;
  if (!isRecord(logprobs)) return choice;
  if (!Array.isArray(logprobs['content']) && Array.isArray(logprobs['tokens']))
    return { ...choice, logprobs: { content: toTokenLogprobs(logprobs), refusal: null } };
  const lists = Object.entries(logprobs).filter(([, list]) => objectItems(list).some((token) => !isNumeric(token)));
  if (lists.length === 0) return choice;
  const numeric = lists.map(([name, list]) => [name, objectItems(list).map(withNumbers)]);
  return { ...choice, logprobs: { ...logprobs, ...Object.fromEntries(numeric) } };
}

function isNumeric({ logprob, top_logprobs: alternatives }: Fields): boolean {
  return (
    typeof logprob === 'number' && objectItems(alternatives).every((token) => typeof token['logprob'] === 'number')
  );
}

function withNumbers(token: Fields): Fields {
  const { logprob, top_logprobs: alternatives } = token;
  return {
    ...token,
    logprob: typeof logprob === 'number' ? logprob : minLogprob,
    ...(Array.isArray(alternatives) && { top_logprobs: objectItems(alternatives).map(withNumbers) }),
  };
}

/**
 * The last chunk of a choice, or a whole one, without the log probability of the token that ended it: vLLM sends it, the API does not, because
 * the token is not in the text.
 *
 * @param text The end of the text.
 */
export function withoutEndToken(choice: Fields, text: string): Fields {
  const { logprobs } = choice;
  const tokens = isRecord(logprobs) ? objectItems(logprobs['content']) : [];
  const { token } = tokens.at(-1) ?? {};
  if (!isRecord(logprobs) || typeof token !== 'string' || !controlToken.test(token) || text.endsWith(token))
    return choice;
  const content = tokens.slice(0, -1);
  return { ...choice, logprobs: content.length === 0 && !logprobs['refusal'] ? null : { ...logprobs, content } };
}
