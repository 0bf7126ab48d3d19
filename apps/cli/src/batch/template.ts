import { usageError } from '../cli-error.ts';
import { isRecord, parseJson } from '../json.ts';
import type { JsonObject } from '../json.ts';

/** Values of placeholders: `{{line}}`, `{{n}}`, and the fields of a line that is a JSON object. */
export type Variables = JsonObject;

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Fills the placeholders in the strings of a JSON value. A line can never change the structure of the value. */
export function fillTemplate(template: unknown, variables: Variables): unknown {
  if (typeof template === 'string') return fillText(template, variables);
  if (Array.isArray(template)) return template.map((each) => fillTemplate(each, variables));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillTemplate(value, variables)]));
}

function fillText(text: string, variables: Variables): unknown {
  const [match, name] = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text) ?? [];
  // A string that is one placeholder becomes the value itself, so that a number stays a number.
  if (match !== undefined && name !== undefined) return variableOf(variables, name);
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const value = variableOf(variables, name);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function variableOf(variables: Variables, name: string): unknown {
  if (Object.hasOwn(variables, name)) return variables[name];
  throw usageError(
    `Line ${String(variables['n'])} has no field "${name}" for {{${name}}}.`,
    `Its fields are ${Object.keys(variables).join(', ')}.`,
  );
}

export function variablesOf(line: string, n: number): Variables {
  const value = line.startsWith('{') ? parseJson(line) : undefined;
  return { ...(isRecord(value) ? value : {}), line, n };
}

export function hasPlaceholders(template: unknown): boolean {
  return new RegExp(PLACEHOLDER.source).test(JSON.stringify(template));
}
