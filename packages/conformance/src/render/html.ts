import type { CheckResult, ConformanceReport } from '../report.ts';
import { escape } from './markup.ts';
import { renderSvg } from './svg.ts';
import { failuresOf, failureText, nameOf, percent, scoresOf, summaryOf, verdictReason } from './words.ts';

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;color:#1a2330;background:#fff;max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}p.sub,small{color:#5a6675}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #e6e9ee;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
details{border:1px solid #e6e9ee;border-radius:6px;margin:.4rem 0;padding:.4rem .7rem}summary{cursor:pointer}
pre{background:#f6f7f9;padding:.6rem;border-radius:4px;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:12.5px}
.tag{font-size:12px;border-radius:4px;padding:.05rem .4rem;background:#e6e9ee}.fail{background:#f3d9d5}.error{background:#f6e8cd}.pass{background:#dbe8f4}
svg{max-width:100%;height:auto}@media print{details{break-inside:avoid}}`;

/** A self-contained page: styles and image inline, no script. */
export function renderHtml(report: ConformanceReport): string {
  const failures = failuresOf(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${escape(report.baseURL)}: ${percent(report.score.all)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Conformance of ${escape(report.baseURL)}</h1>
<p>${scoresOf(report)
    .map(([score, of]) => `<b>${score}</b> ${of}`)
    .join(', ')}.</p>
<p class="sub">${escape(summaryOf(report))} · ${escape(report.startedAt)}${report.complete ? '' : ' · not complete'}</p>
${report.notes.map((note) => `<p>${escape(note)}</p>`).join('\n')}
${renderSvg(report)}
<h2>Failures (${failures.length})</h2>
${failures.map(detail).join('\n')}
<h2>Every check</h2>
${report.endpoints
  .map((endpoint) =>
    table(
      nameOf(endpoint),
      endpoint.served === false,
      report.results.filter((result) => result.endpoint === endpoint.id),
    ),
  )
  .join('\n')}
${report.notDeleted.length > 0 ? `<h2>Not deleted</h2><ul>${report.notDeleted.map((name) => `<li>${escape(name)}</li>`).join('')}</ul>` : ''}
</body>
</html>
`;
}

function detail(result: CheckResult): string {
  const { source, paragraphs, exchange } = failureText(result);
  const lines = [
    ...[verdictReason(result), ...paragraphs].map((text) => `<p>${escape(text)}</p>`),
    ...exchange.map(([label, text]) => `<small>${label}</small><pre>${escape(text)}</pre>`),
  ];
  return `<details><summary>${tag(result.outcome)} ${escape(result.title)}<br><small>${escape(`${result.id} · ${source}`)}</small></summary>${lines.join('')}</details>`;
}

function table(name: string, unserved: boolean, results: readonly CheckResult[]): string {
  const rows = results
    .filter(({ outcome }) => !(unserved && outcome === 'skipped'))
    .map(
      (result) =>
        `<tr><td>${tag(result.outcome)}</td><td>${escape(result.title)}${result.reason === undefined ? '' : `<br><small>${escape(result.reason)}</small>`}</td><td>${result.certainty}</td><td class="n">${result.weight}</td></tr>`,
    );
  return `<details><summary>${escape(name)}</summary><table><tr><th></th><th>check</th><th>certainty</th><th class="n">weight</th></tr>${rows.join('')}</table></details>`;
}

const tag = (outcome: CheckResult['outcome']): string => `<span class="tag ${outcome}">${outcome}</span>`;
