import { writeFileSync } from 'node:fs';
import { runConformance, renderReport } from '../index.ts';
import { apiKey, baseURL, serve } from './serve.ts';
const served = await serve();
const only = process.argv.slice(2).filter((x) => x !== '-v');
const report = await runConformance({ baseURL, apiKey, fetch: served.fetch, only, destructive: true });
for (const r of report.results)
  if (r.outcome !== 'pass' && (r.outcome !== 'skipped' || process.argv.includes('-v')))
    console.log(
      r.outcome,
      r.certainty,
      r.id,
      '|',
      r.why,
      '|',
      r.sent?.body?.slice(0, 200),
      '|',
      r.came?.body.slice(0, 300),
    );
console.log(report.score, report.counts, report.requests, report.durationMs, report.left, report.notes);
for (const f of ['html', 'json', 'md', 'junit', 'svg'] as const)
  writeFileSync(`/tmp/conf-report.${f}`, renderReport(report, f));
await served.close();
