import type { ChatRequestInfo } from './types.ts';

export interface TemplateValues {
  readonly asked: Pick<ChatRequestInfo, 'model' | 'lastMessage' | 'system' | 'turn' | 'toolResult'>;
  readonly groups: () => Readonly<Record<string, string>>;
  /** How often the rule was used before. */
  readonly count: number;
}

const places: Readonly<Record<string, (facts: TemplateValues) => string>> = {
  lastMessage: ({ asked }) => asked.lastMessage,
  model: ({ asked }) => asked.model,
  system: ({ asked }) => asked.system,
  turn: ({ asked }) => String(asked.turn),
  toolResult: ({ asked }) => asked.toolResult?.text ?? '',
  count: ({ count }) => String(count),
};

/** The names of templates, besides the groups of a RegExp (`match.1`, `match.city`). */
export const templateNames: readonly string[] = Object.keys(places);

const place = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names of unknown templates in a text. */
export function unknownNames(text: string): readonly string[] {
  const names = [...text.matchAll(place)].map(([, name = '']) => name);
  return names.filter((name) => !Object.hasOwn(places, name) && !/^match\.\w+$/.test(name));
}

/** Replaces templates by their values. A group without a match is an empty text. */
export function fill(text: string, facts: TemplateValues): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(place, (all, name: string) => {
    if (name.startsWith('match.')) return facts.groups()[name.slice(6)] ?? '';
    return Object.hasOwn(places, name) ? (places[name]?.(facts) ?? all) : all;
  });
}

/** The same in all strings of a JSON value. */
export function fillValue(value: unknown, facts: TemplateValues): unknown {
  if (typeof value === 'string') return fill(value, facts);
  if (Array.isArray(value)) return value.map((one) => fillValue(one, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillValue(one, facts)]));
}
