import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { BatchResult } from '@modelwire/batches';
import type { Batch } from '@modelwire/client';
import type { App } from '../app.ts';
import { EXIT } from '../exit-codes.ts';
import { isRecord } from '../json.ts';
import type { Column } from '../output/table.ts';

/** Adds the options of commands that print the results of a batch. */
export function withResultOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option('--failed', 'Print only failed requests')
    .option('--text', 'Print only the text of each reply, in input order if this command created the custom IDs');
}

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
  app: App,
  batch: Batch | string,
  flags: { readonly failed?: boolean; readonly text?: boolean },
): Promise<void> {
  const { print, signal } = app;
  const results = (await app.client()).batches.results(batch, { signal });
  let failed = 0;
  const selected = async function* () {
    for await (const result of results) {
      if (!result.ok) failed++;
      if (flags.failed !== true || !result.ok) yield result;
    }
  };
  if (print.json) for await (const { line } of selected()) await print.value(line);
  else {
    const rows = await Array.fromAsync(selected());
    rows.sort((a, b) => numberOf(a) - numberOf(b));
    if (flags.text) for (const row of rows) await print.text(row.ok ? `${textOf(row.body)}\n` : '');
    else await print.rows(rows, columns, 'No results.');
  }
  if (failed === 0) return;
  app.exitCode = EXIT.unsuccessful;
  if (flags.failed) return;
  const id = typeof batch === 'string' ? batch : batch.id;
  print.warn(
    `${failed} failed ${failed === 1 ? 'request' : 'requests'}. To list: modelwire batches results ${id} --failed`,
  );
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
