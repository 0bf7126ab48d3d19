import type { Pattern } from './types.ts';

const written = /^\/(.+)\/([dgimsuvy]*)$/s;

/** A string of the form `/…/flags` as a RegExp, other strings unchanged. @throws SyntaxError for an invalid RegExp. */
export function toPattern(given: Pattern): Pattern {
  if (typeof given !== 'string') return given;
  const [, source, flags] = written.exec(given) ?? [];
  return source === undefined ? given : new RegExp(source, flags);
}

/** The match of a RegExp; for a string only whether it occurs. */
export type PatternMatch = RegExpExecArray | 'there' | undefined;

/** Searches `text` for the pattern. */
export function matchPattern(text: string, pattern: Pattern): PatternMatch {
  if (typeof pattern === 'string') return text.includes(pattern) ? 'there' : undefined;
  pattern.lastIndex = 0;
  return pattern.exec(text) ?? undefined;
}

/** The matches of the groups by number, and by name for named groups. */
export function groupsOf(found: PatternMatch): Readonly<Record<string, string>> {
  return typeof found === 'object' ? { ...Object.fromEntries(found.entries()), ...found.groups } : {};
}

/** A string has to equal the whole name; a RegExp may match a part of it. */
export function matchesName(name: string, pattern: Pattern): boolean {
  return typeof pattern === 'string' ? name === pattern : matchPattern(name, pattern) !== undefined;
}

export function showPattern(pattern: Pattern): string {
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}
