import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const decisionsSchema = z.array(
  z.object({
    decision: z.string(),
    /** What rows begin with. Default: they are complete. */
    of: z.array(z.string()).min(1).optional(),
    rows: z.array(z.string()).min(1),
  }),
);

/** Why this server lacks what the public document has. */
export interface Decision {
  readonly decision: string;
  readonly rows: readonly string[];
}

export interface Decided {
  readonly decisions: readonly Decision[];
  /** Rows without a decision. */
  readonly open: readonly string[];
  /** Patterns of decisions that no row matches. */
  readonly unused: readonly string[];
}

/** The decisions for rows. The first pattern that matches counts; `*` stands for any text. */
export function decide(rows: readonly string[]): Decided {
  const list = decisionsSchema.parse(parse(readFileSync(new URL('decisions.yaml', import.meta.url), 'utf8')));
  const used = new Set<string>();
  const open: string[] = [];
  const decided = new Map(list.map(({ decision }) => [decision, [] as string[]]));
  const patterns = list.flatMap(({ decision, of, rows: texts }) =>
    texts.map((text) => {
      const complete = of ? of.map((beginning) => `${beginning} ${text}`) : [text];
      return { decision, text, pattern: new RegExp(complete.map(toPattern).join('|')) };
    }),
  );
  for (const row of rows) {
    const found = patterns.find(({ pattern }) => pattern.test(row));
    if (!found) {
      open.push(row);
      continue;
    }
    used.add(found.text);
    decided.get(found.decision)?.push(row);
  }
  return {
    decisions: [...decided].map(([decision, its]) => ({ decision, rows: its })),
    open,
    unused: patterns.flatMap(({ text }) => (used.has(text) ? [] : [text])),
  };
}

const toPattern = (text: string): string => `^${text.replaceAll(/[^\w *]/g, '\\$&').replaceAll('*', '.*')}$`;
