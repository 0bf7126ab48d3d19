import { InputError } from './errors.ts';

const json: JSON & { readonly rawJSON?: (text: string) => object } = JSON;

/**
 * A value that `JSON.stringify` writes as exactly this integer. Numbers are exact up to 2^53 only, and a 64-bit `seed` needs more.
 * @throws an `InputError` on runtimes without `JSON.rawJSON` (Node.js has it).
 */
export function jsonInteger(value: bigint): object {
  if (!json.rawJSON) throw new InputError('This runtime cannot serialize a bigint as JSON: it has no JSON.rawJSON.');
  return json.rawJSON(String(value));
}
