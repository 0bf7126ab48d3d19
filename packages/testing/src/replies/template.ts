import type { ChatRequestInfo } from './types.ts';

export interface TemplateValues {
  readonly requestInfo: Pick<ChatRequestInfo, 'model' | 'lastMessage' | 'system' | 'turn' | 'toolResult'>;
  readonly groups: () => Readonly<Record<string, string>>;
  /** How often the rule was used before. */
  readonly count: number;
}

const templates: Readonly<Record<string, (values: TemplateValues) => string>> = {
  lastMessage: ({ requestInfo }) => requestInfo.lastMessage,
  model: ({ requestInfo }) => requestInfo.model,
  system: ({ requestInfo }) => requestInfo.system,
  turn: ({ requestInfo }) => String(requestInfo.turn),
  toolResult: ({ requestInfo }) => requestInfo.toolResult?.text ?? '',
  count: ({ count }) => String(count),
};

/** The names of templates, besides the groups of a RegExp (`match.1`, `match.city`). */
export const templateNames: readonly string[] = Object.keys(templates);

const templatePattern = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names of unknown templates in a text. */
export function unknownTemplates(text: string): readonly string[] {
  const names = [...text.matchAll(templatePattern)].map(([, name = '']) => name);
  return names.filter((name) => !Object.hasOwn(templates, name) && !/^match\.\w+$/.test(name));
}

/** Replaces templates by their values. A group without a match is an empty text. */
export function fillTemplate(text: string, values: TemplateValues): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(templatePattern, (placeholder, name: string) => {
    if (name.startsWith('match.')) return values.groups()[name.slice(6)] ?? '';
    return Object.hasOwn(templates, name) ? (templates[name]?.(values) ?? placeholder) : placeholder;
  });
}

/** The same in all strings of a JSON value. */
export function fillTemplates(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillTemplate(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillTemplates(item, values)]));
}
