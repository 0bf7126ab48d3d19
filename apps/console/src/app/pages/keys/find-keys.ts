import type { NamedKey } from '../../api/names.ts';

export const maxFoundKeys = 20;

/** The keys with a text in their name, or with an ID or a secret. A secret is compared by the characters that the server keeps of it. */
export function findKeys(keys: readonly NamedKey[], text: string): readonly NamedKey[] {
  const inName = text.toLowerCase();
  return keys.filter(
    ({ id, name, hint }) =>
      id === text || name.toLowerCase().includes(inName) || (hint !== '' && text.startsWith(hint.replace(/…$/, ''))),
  );
}
