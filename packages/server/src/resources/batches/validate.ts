import { BATCH_MAX_LINES } from '@modelwire/schema';
import type { BatchError } from '@modelwire/schema/types';
import { parseLine } from './input-line.ts';
import type { SplitLine } from './split-lines.ts';

/** Validation stops after this number of errors. */
export const maxListedErrors = 100;

export type Validation =
  | {
      readonly ok: true;
      readonly total: number;
      /** The model, if it is the same for all lines. */
      readonly model: string | null;
    }
  | { readonly ok: false; readonly errors: readonly BatchError[] };

/** Validates the input to its end, or until there are too many errors. Keeps the custom IDs and one line at a time in memory. */
export async function validate(
  lines: AsyncIterable<SplitLine>,
  rules: Parameters<typeof parseLine>[1] & { readonly signal: AbortSignal },
): Promise<Validation> {
  const firstLines = new Map<string, number>();
  const errors: BatchError[] = [];
  const models = new Set<unknown>();
  let total = 0;
  for await (const split of lines) {
    rules.signal.throwIfAborted();
    if (++total > BATCH_MAX_LINES) {
      const message = `A batch has at most ${BATCH_MAX_LINES} requests.`;
      errors.push({ code: 'too_many_requests', line: split.number, message, param: null });
      break;
    }
    const parsed = parseLine(split, rules);
    if (parsed.ok) {
      const { custom_id, body } = parsed.line;
      const first = firstLines.get(custom_id);
      if (first !== undefined) errors.push(duplicate(split.number, first));
      else firstLines.set(custom_id, split.number);
      if (models.size < 2) models.add(body['model']);
    } else errors.push(parsed.error);
    if (errors.length >= maxListedErrors) break;
  }
  if (total === 0) errors.push({ code: 'empty_file', line: null, message: 'The input file is empty.', param: null });
  if (errors.length > 0) return { ok: false, errors };
  const [model] = models;
  return { ok: true, total, model: models.size === 1 && typeof model === 'string' ? model : null };
}

function duplicate(line: number, first: number): BatchError {
  const message = `The 'custom_id' of this line is already used in line ${first}: it must be unique in the file.`;
  return { code: 'duplicate_custom_id', line, message, param: 'custom_id' };
}
