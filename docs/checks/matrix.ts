// `npm run matrix -- gateways "aimock=aimock.json" "LiteLLM before Modelwire=litellm.json"`: writes a table of docs/conformance-matrix.md from reports
// of `modelwire conform --report json`, a column for each.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';

const countsSchema = z.object({ pass: z.number(), fail: z.number(), error: z.number(), skipped: z.number() });
const reportSchema = z.object({
  kind: z.literal('modelwire.conformance'),
  complete: z.boolean(),
  score: z.object({ all: z.number().nullable(), served: z.number().nullable() }),
  counts: countsSchema,
  endpoints: z.array(
    z.object({
      route: z.string(),
      served: z.boolean().optional(),
      score: z.number().nullable(),
      counts: countsSchema,
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

const percent = (score: number | null): string => (score === null ? 'no result' : `${score} %`);

function endpointCell({ endpoints }: Report, route: string): string {
  const endpoint = endpoints.find((one) => one.route === route);
  if (endpoint === undefined) return 'not checked';
  return endpoint.served === false ? 'not served' : percent(endpoint.score);
}

/** A row for each total and endpoint, a column for each report. */
function matrixTable(columns: readonly { readonly title: string; readonly report: Report }[]): string {
  const reports = columns.map(({ report }) => report);
  const endpoints = reports.flatMap((report) => report.endpoints);
  const isCounted = (route: string): boolean =>
    endpoints.some((one) => one.route === route && one.served !== false && one.score !== null);
  // Endpoints that only some servers have are not counted in any report.
  const routes = [...new Set(endpoints.map(({ route }) => route))].filter(isCounted);
  const row = (name: string, cell: (report: Report) => string | number): string =>
    `| ${[name, ...reports.map(cell)].join(' | ')} |`;
  return [
    `| ${['', ...columns.map(({ title }) => title)].join(' | ')} |`,
    `| --- | ${columns.map(() => '---:').join(' | ')} |`,
    row('all endpoints', ({ score }) => percent(score.all)),
    row('served endpoints', ({ score }) => percent(score.served)),
    row('passed', ({ counts }) => counts.pass),
    row('failed', ({ counts }) => counts.fail),
    row('no result', ({ counts }) => counts.error),
    row('skipped', ({ counts }) => counts.skipped),
    ...routes.map((route) =>
      row(route === '' ? 'rules of all requests' : `\`${route}\``, (report) => endpointCell(report, route)),
    ),
  ].join('\n');
}

const [table, ...given] = process.argv.slice(2);
const folder = process.env['INIT_CWD'] ?? '.';
const columns = given.map((one) => {
  const [, title = '', file = ''] = /^(.*)=(.*)$/.exec(one) ?? [];
  return { title, report: reportSchema.parse(JSON.parse(readFileSync(resolve(folder, file), 'utf8'))) };
});
const path = fileURLToPath(new URL('../conformance-matrix.md', import.meta.url));
const page = readFileSync(path, 'utf8');
const [start, end] = [`<!-- matrix: ${table} -->`, `<!-- /matrix: ${table} -->`];
const [from, to] = [page.indexOf(start), page.indexOf(end)];
if (from === -1 || to === -1 || columns.length === 0) {
  throw new Error(
    'Usage: npm run matrix -- <table> "<title>=<report.json>" …, where docs/conformance-matrix.md has that table.',
  );
}
const text = `${page.slice(0, from)}${start}\n\n${matrixTable(columns)}\n\n${page.slice(to)}`;
writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }));
