import { listAt, textAt } from '../../exchange/value.ts';

/** The text of tokens with log probabilities: of their bytes, because the parts of a character have no text of their own. */
export function tokenText(tokens: readonly unknown[]): string {
  const bytes = tokens.flatMap((token) => {
    const own = listAt(token, 'bytes').filter((byte) => typeof byte === 'number');
    return own.length > 0 ? own : [...new TextEncoder().encode(textAt(token, 'token') ?? '')];
  });
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
