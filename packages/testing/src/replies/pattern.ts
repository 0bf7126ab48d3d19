import type { Pattern } from './types.ts';

const written = /^\/(.+)\/([dgimsuvy]*)$/s;

/** A string of the form `/…/flags` as the RegExp that it is, other strings as they are. @throws SyntaxError for one that is none. */
export function toPattern(given: Pattern): Pattern {
  if (typeof given !== 'string') return given;
  const [, source, flags] = written.exec(given) ?? [];
  return source === undefined ? given : new RegExp(source, flags);
}

export type Found = { readonly groups: Readonly<Record<string, string>> } | undefined;

/** Whether `text` holds the pattern, and what its groups took: by number, and by name where they have one. */
export function findIn(text: string, pattern: Pattern): Found {
  if (typeof pattern === 'string') return text.includes(pattern) ? none : undefined;
  pattern.lastIndex = 0;
  const match = pattern.exec(text);
  return match ? { groups: { ...Object.fromEntries(match.entries()), ...match.groups } } : undefined;
}

/** Names are matched whole. */
export function isNamed(name: string, pattern: Pattern): boolean {
  return typeof pattern === 'string' ? name === pattern : findIn(name, pattern) !== undefined;
}

export function showPattern(pattern: Pattern): string {
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}

const none: Found = Object.freeze({ groups: Object.freeze({}) });
