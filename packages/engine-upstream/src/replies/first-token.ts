import { objectItems } from '../requests/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a chunk has the first token of a choice, or ends one. Servers send the role in a chunk of its own before they know that they can
 * generate, so it does not count.
 */
export function hasToken(chunk: Fields): boolean {
  return objectItems(chunk['choices']).some(({ delta, text, finish_reason: reason }) => {
    return isContent(reason) || isContent(text) || deltaHasToken(delta);
  });
}

function deltaHasToken(delta: unknown): boolean {
  return objectItems([delta]).some((fields) =>
    Object.entries(fields).some(([name, value]) => name !== 'role' && isContent(value)),
  );
}

function isContent(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null;
}
