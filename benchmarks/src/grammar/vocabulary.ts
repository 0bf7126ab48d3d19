import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';

/** The bytes of each text token of o200k. */
export function vocabulary(): Uint8Array[] {
  const encoder = new TextEncoder();
  return ranks.map((token) => (typeof token === 'string' ? encoder.encode(token) : Uint8Array.from(token)));
}
