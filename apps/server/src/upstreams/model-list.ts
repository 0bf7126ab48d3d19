import { isRecord } from '@modelwire/adapter-kit';
import * as z from 'zod';
import { UpstreamProblem } from './upstream-problem.ts';

const maxModels = 10_000;
const maxIdLength = 512;
/** Characters of a name in a skipped entry that are logged. */
const maxLoggedLength = 80;
/** Control characters, halves of surrogate pairs and line separators, which must not get into logs and URLs. */
const unusableCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The fields of an entry that are used. Those with other values are ignored. */
const modelFields = z.looseObject({
  owned_by: z
    .string()
    .min(1)
    .max(maxIdLength)
    .regex(/^\P{C}*$/u)
    .optional()
    .catch(undefined),
  created: z.int().min(0).optional().catch(undefined),
  /** Of llama.cpp and some hosted services. */
  architecture: z
    .looseObject({ input_modalities: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** A model in the list of an upstream, with all fields of its entry. */
export type ListedModel = z.infer<typeof modelFields> & { readonly id: string };

/** An entry of a list that names no model. */
export interface SkippedEntry {
  /** Its names, as a log may contain them. */
  readonly entry: string;
  readonly cause: string;
}

export interface ModelList {
  /** By ID. Of several entries with the same ID, the first. */
  readonly models: ReadonlyMap<string, ListedModel>;
  readonly skipped: readonly SkippedEntry[];
}

/**
 * Reads a list of models as servers send it: `data` or `models` of an object, or the value itself, is an array of objects and IDs, or an object
 * by ID. An entry without a usable ID is skipped. An error, and a list in which no entry is usable, are no list: the models that were known
 * before remain.
 *
 * @throws UpstreamProblem if the value is no list of models.
 */
export function parseModelList(value: unknown): ModelList {
  const models = new Map<string, ListedModel>();
  const skipped: SkippedEntry[] = [];
  for (const entry of entriesIn(value)) {
    const { id, cause } = readId(entry);
    if (id === undefined) skipped.push({ entry: loggable(entry), cause });
    else if (models.has(id)) continue;
    else if (models.size < maxModels) models.set(id, { ...modelFields.parse(isRecord(entry) ? entry : {}), id });
    else {
      skipped.push({ entry: 'all further entries', cause: `more than ${maxModels} models` });
      break;
    }
  }
  if (models.size === 0 && skipped.length > 0)
    throw new UpstreamProblem('failing', 'a list of models without a usable entry');
  return { models, skipped };
}

function entriesIn(value: unknown): readonly unknown[] {
  const isObject = isRecord(value);
  const list = isObject ? (value['data'] ?? value['models']) : value;
  if (Array.isArray(list) && list.length > 0) return list;
  if (isObject && isError(value)) throw new UpstreamProblem('failing', 'an error with status 200');
  if (Array.isArray(list)) return list;
  if (isObject && isRecord(list)) return entriesById(list);
  // Servers written in Go, such as Ollama, send null for an empty list.
  if (isObject && value['data'] === null && value['object'] === 'list') return [];
  throw new UpstreamProblem('failing', 'no list of models');
}

function isError({ error, object, type, success }: Readonly<Record<string, unknown>>): boolean {
  return Boolean(error) || object === 'error' || type === 'error' || success === false;
}

/** The entries of an object by ID, or the object itself if it is a model. */
function entriesById(list: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (typeof list['id'] === 'string') return [list];
  return Object.entries(list).map(([id, entry]) =>
    isRecord(entry) ? { ...entry, id: nonEmpty(entry['id']) ?? id } : { [id]: entry },
  );
}

/** Ollama has `model` and `name` instead of an ID. A number is the key of a row, not a name that requests can use. */
function readId(
  entry: unknown,
): { readonly id: string; readonly cause?: never } | { readonly id?: never; readonly cause: string } {
  const names = isRecord(entry) ? [entry['id'], entry['model'], entry['name']] : [entry];
  const id = names.find((name) => nonEmpty(name) !== undefined);
  if (typeof id !== 'string') return { cause: 'no ID' };
  if (id.length > maxIdLength) return { cause: `an ID of more than ${maxIdLength} characters` };
  return unusableCharacters.test(id) ? { cause: 'control characters in the ID' } : { id };
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Only what identifies the entry: other fields, such as times, may differ in each response. */
function loggable(entry: unknown): string {
  const names = isRecord(entry)
    ? ['id', 'model', 'name'].flatMap((name) =>
        Object.hasOwn(entry, name) ? [`${name}: ${shortText(entry[name])}`] : [],
      )
    : [shortText(entry)];
  return names.join(', ') || 'an object without a name';
}

function shortText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, maxLoggedLength)) : String(value);
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
