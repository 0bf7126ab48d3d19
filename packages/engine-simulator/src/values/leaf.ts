import { GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import type { Grammars } from '../grammar/grammars.ts';
import { roleOf } from './names.ts';
import type { Schema } from './schema.ts';
import type { Source } from './source.ts';

/** Keywords that bind one string or number. */
const binding = [
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** Something of each format, where the words hold nothing that fits. */
const samples: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  time: '12:00:00Z',
  'date-time': '2026-01-01T12:00:00Z',
  duration: 'PT1H',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

interface LeafFilling {
  readonly source: Source;
  readonly grammars: Grammars;
  readonly leafGrammars: LeafGrammarBudget;
  readonly steps: Steps;
}

/** The work that compiling the grammars of single values may still take, for all texts of a request together. */
export interface LeafGrammarBudget {
  left: number;
}

/** The same for cached grammars, so that the same seed gives the same reply. */
const maxLeafGrammarWork = 3_000_000;
/** What a grammar costs that exceeds a limit. */
const failedGrammarWork = 1_000_000;

export function leafGrammarBudget(): LeafGrammarBudget {
  return { left: maxLeafGrammarWork };
}

/** The work that one text may take, shared by all its parts. */
export interface Steps {
  left: number;
  /** Grammars of single values by their resolved schema; undefined where nothing binds the value. */
  readonly leaves: Map<Schema, { readonly type: string; readonly grammar: Grammar | undefined }>;
}

/** A string, number or boolean; undefined where nothing in the words is meant for a place that need not be filled. */
export function leafValue(type: string, schema: Schema, name: string, filling: LeafFilling, must: boolean): unknown {
  const { default: preset, examples } = schema;
  const fact = filling.source.fact(name);
  const isOfType = type === 'integer' ? Number.isInteger(fact) : typeof fact === type;
  if (isOfType && (typeof fact === 'boolean' || leafFits(type, schema, fact as string | number, filling))) return fact;
  switch (type) {
    case 'boolean':
      return boolean(name, preset, filling.source, must);
    case 'integer':
    case 'number':
      return number(type, schema, name, filling, must);
    default: {
      const first = Array.isArray(examples) ? (examples as unknown[])[0] : undefined;
      return string(
        schema,
        name,
        filling,
        must,
        [preset, first].filter((one) => typeof one === 'string'),
      );
    }
  }
}

function boolean(name: string, preset: unknown, source: Source, must: boolean): boolean | undefined {
  if (source.denies(name)) return false;
  if (source.mentions(name)) return true;
  return must ? preset === true : undefined;
}

function number(type: string, schema: Schema, name: string, filling: LeafFilling, must: boolean): number | undefined {
  const { source } = filling;
  const { meant, other } = source.numbers(name);
  const result =
    roleOf(name) === 'answer' || /sum|total|value/i.test(name)
      ? Number(/^-?\d+(?:\.\d+)?/.exec(source.words.word ?? '')?.[0] ?? NaN)
      : NaN;
  const fits = (one: number): boolean =>
    Number.isFinite(one) && (type === 'number' || Number.isInteger(one)) && leafFits(type, schema, one, filling);
  const found = [result, ...meant, ...(must ? other : [])].find(fits);
  if (found !== undefined) {
    source.useNumber(found);
    return found;
  }
  if (!must) return undefined;
  const { default: preset, minimum } = schema;
  const fallback = [preset, minimum, 1, 0].find((one): one is number => typeof one === 'number' && fits(one));
  return fallback ?? Number(shortest(type, schema, filling) ?? 0);
}

function string(
  schema: Schema,
  name: string,
  filling: LeafFilling,
  must: boolean,
  presets: readonly string[],
): string | undefined {
  const { source } = filling;
  const { meant, other } = source.strings(name);
  const format = typeof schema['format'] === 'string' ? schema['format'] : undefined;
  const fits = (one: string): boolean => leafFits('string', schema, one, filling);
  const isBound = binding.some((keyword) => keyword in schema);
  const found = meant.find(fits) ?? (must || isBound ? other.find(fits) : undefined);
  if (found !== undefined && (must || meant.includes(found) || isBound)) {
    source.use(found);
    return found;
  }
  const words = isBound
    ? source.words.text
        .split(/[\s,;:!?]+/)
        .slice(0, 200)
        .find((word) => word !== '' && fits(word))
    : undefined;
  if (words !== undefined && format === undefined && must) return words;
  if (!must) return undefined;
  const sample = format === undefined ? [] : [samples[format] ?? ''];
  return (
    [...presets, ...sample, ...source.strings(name).meant, source.whole(), source.words.answer].find(
      (one) => one !== '' && fits(one),
    ) ??
    shortest('string', schema, filling) ??
    ''
  );
}

/** A grammar for what binds this one value; undefined where nothing does. */
function leafGrammar(
  type: string,
  schema: Schema,
  { grammars, leafGrammars, steps }: LeafFilling,
): Grammar | undefined {
  const known = steps.leaves.get(schema);
  if (known?.type === type) return known.grammar;
  const grammar = leafGrammars.left > 0 ? compiledLeaf(type, schema, grammars, leafGrammars) : undefined;
  steps.leaves.set(schema, { type, grammar });
  return grammar;
}

function compiledLeaf(
  type: string,
  schema: Schema,
  grammars: Grammars,
  budget: LeafGrammarBudget,
): Grammar | undefined {
  const bounds = binding.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]] as const] : []));
  if (bounds.length === 0 && type === 'string') return undefined;
  try {
    const grammar = grammars.part({ type, ...Object.fromEntries(bounds) });
    budget.left -= grammar.cost.work;
    return grammar;
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    if (error.code === 'limit') budget.left -= failedGrammarWork;
    return undefined;
  }
}

function leafFits(type: string, schema: Schema, value: string | number, filling: LeafFilling): boolean {
  const grammar = leafGrammar(type, schema, filling);
  return grammar === undefined || grammar.start().advance(JSON.stringify(value))?.canEnd() === true;
}

function shortest(type: string, schema: Schema, filling: LeafFilling): string | undefined {
  const text = leafGrammar(type, schema, filling)?.start().shortestCompletion();
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return String(value);
}
