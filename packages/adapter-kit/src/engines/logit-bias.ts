import type { ChatRequest } from '@modelwire/ports';
import { invalid } from '@modelwire/ports';

/**
 * The tokens that `logit_bias` names, with their amounts, typed by `isToken` if that is a type guard. `tokens` describes those of the model, for
 * the message.
 * @throws a 400 that names `logit_bias` for a key that is not the ID of a token.
 */
export function biasedTokens<Id extends number>(
  logit_bias: ChatRequest['logit_bias'],
  isToken: (id: number) => id is Id,
  tokens: string,
): readonly (readonly [id: Id, amount: number])[];
export function biasedTokens(
  logit_bias: ChatRequest['logit_bias'],
  isToken: (id: number) => boolean,
  tokens: string,
): readonly (readonly [id: number, amount: number])[];
export function biasedTokens(
  logit_bias: ChatRequest['logit_bias'],
  isToken: (id: number) => boolean,
  tokens: string,
): readonly (readonly [id: number, amount: number])[] {
  return Object.entries(logit_bias).map(([key, amount]) => {
    const id = /^\d{1,7}$/.test(key) ? Number(key) : -1;
    if (isToken(id)) return [id, amount];
    const message = `logit_bias: '${key.slice(0, 40)}' is not a token of this model. Its tokens are ${tokens}.`;
    throw invalid('logit_bias', message);
  });
}
