import { createBatches } from '@modelwire/batches';
import type { Batch, BatchResult } from '@modelwire/batches';
import type { Context, Flags } from '../command.ts';
import { isRecord } from '../config/profiles.ts';
import { EXIT } from '../exit-codes.ts';
import type { Column } from '../output/table.ts';

export const resultFlags = {
  failed: { type: 'boolean', description: 'Print only failed requests' },
  text: {
    type: 'boolean',
    description: 'Print only the text of each reply, in input order if this command created the custom IDs',
  },
} as const satisfies Flags;

const columns: readonly Column<BatchResult>[] = [
  { head: 'request', cell: ({ custom_id }) => custom_id },
  { head: 'status', right: true, cell: (result) => result.status ?? 'none' },
  {
    head: 'result',
    shrinks: true,
    cell: (result) => (result.ok ? textOf(result.body) : `error: ${result.error.message}`),
  },
];

/** Prints the result of each request. The exit code is 10 if any request failed. */
export async function printResults(
  { flags, transport, print, signal }: Context<typeof resultFlags>,
  batch: Batch | string,
): Promise<number | undefined> {
  const results = createBatches(await transport()).results(batch, { signal });
  let failed = 0;
  const selected = async function* () {
    for await (const result of results) {
      if (!result.ok) failed++;
      if (!flags.failed || !result.ok) yield result;
    }
  };
  if (print.json) for await (const { line } of selected()) await print.value(line);
  else {
    const rows: BatchResult[] = [];
    for await (const result of selected()) rows.push(result);
    rows.sort((a, b) => numberOf(a) - numberOf(b));
    if (flags.text) for (const row of rows) await print.text(row.ok ? `${textOf(row.body)}\n` : '');
    else await print.rows(rows, columns, 'No results.');
  }
  if (failed > 0 && !flags.failed) {
    const id = typeof batch === 'string' ? batch : batch.id;
    print.warn(
      `${failed} failed ${failed === 1 ? 'request' : 'requests'}. To list: modelwire batches results ${id} --failed`,
    );
  }
  return failed > 0 ? EXIT.unsuccessful : undefined;
}

/** The line number in an ID that this program generated. Other results keep their order. */
function numberOf({ custom_id }: BatchResult): number {
  return Number(/^line-(\d+)$/.exec(custom_id)?.[1] ?? 0);
}

/** The response body of any endpoint as text. */
export function textOf(body: object): string {
  const { choices, results, output }: { choices?: unknown; results?: unknown; output?: unknown } = body;
  const choice = firstOf(choices);
  const content = isRecord(choice?.['message']) ? choice['message']['content'] : choice?.['text'];
  if (typeof content === 'string') return content;
  const outputTexts = recordsOf(output)
    .flatMap(({ content }) => recordsOf(content))
    // Other parts are the reasoning of the model.
    .map(({ type, text, refusal }) => (type === 'output_text' ? text : refusal))
    .filter((text) => typeof text === 'string');
  if (outputTexts.length > 0) return outputTexts.join('');
  const result = firstOf(results);
  if (result !== undefined) return result['flagged'] === true ? 'flagged' : 'not flagged';
  return JSON.stringify(body);
}

function firstOf(value: unknown): Record<string, unknown> | undefined {
  return recordsOf(value)[0];
}

function recordsOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : [];
}
