import type { ConformanceReport, EndpointScore } from '../report.ts';
import { escape } from './markup.ts';
import { nameOf, percent } from './words.ts';

const WIDTH = 760;
const ROW = 22;
const TOP = 74;
const LABEL = 330;
const BAR = 330;

/** A bar for each endpoint. One file, without scripts, fonts or external resources. */
export function renderSvg(report: ConformanceReport): string {
  const { endpoints, score } = report;
  const height = TOP + endpoints.length * ROW + 34;
  const title = `Conformance of ${report.baseURL}: ${percent(score.all)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(title)}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="34" font-size="24" font-weight="600" fill="#1a2330">${escape(percent(score.all))}</text>`,
    `<text x="120" y="24" fill="#1a2330">${escape(report.baseURL.slice(0, 80))}</text>`,
    `<text x="120" y="42" fill="#5a6675">${escape(`${percent(score.served)} of served endpoints · ${percent(score.sure)} of those by the document alone · ${report.startedAt.slice(0, 10)}`)}</text>`,
    ...endpoints.map((endpoint, index) => row(endpoint, TOP + index * ROW)),
    legend(height - 14),
    '</svg>',
    '',
  ].join('\n');
}

function row(endpoint: EndpointScore, y: number): string {
  const { served, score, counts } = endpoint;
  const share = score ?? 0;
  const length = (share / 100) * BAR;
  const label = served === false ? 'not served' : percent(score);
  const tooltip = `${nameOf(endpoint)}: ${label}; ${counts.pass} passed, ${counts.fail} failed, ${counts.error} undecided, ${counts.skipped} skipped`;
  return [
    `<g><title>${escape(tooltip)}</title>`,
    `<text x="16" y="${y + 11}" fill="${served === false ? '#8a94a1' : '#1a2330'}">${escape(nameOf(endpoint))}</text>`,
    `<rect x="${LABEL}" y="${y}" width="${BAR}" height="14" rx="3" fill="${served === false ? '#f3f4f6' : '#e6e9ee'}"/>`,
    length > 0
      ? `<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="14" rx="3" fill="${color(share)}"/>`
      : '',
    `<text x="${LABEL + BAR + 12}" y="${y + 11}" fill="${served === false ? '#8a94a1' : '#1a2330'}">${escape(label)}</text></g>`,
  ].join('');
}

/** Blue, ochre and red can also be distinguished with colour blindness. */
const color = (share: number): string =>
  share >= 95 ? '#2f6fab' : share >= 70 ? '#6ea3cf' : share >= 40 ? '#d49b3a' : '#b5493b';

function legend(y: number): string {
  const items: readonly (readonly [number, string])[] = [
    [100, '95 % or more'],
    [80, '70 %'],
    [50, '40 %'],
    [10, 'less'],
  ];
  return items
    .map(([share, text], index) => {
      const x = LABEL + index * 100;
      return `<rect x="${x}" y="${y - 9}" width="10" height="10" rx="2" fill="${color(share)}"/><text x="${x + 15}" y="${y}" fill="#5a6675" font-size="11">${text}</text>`;
    })
    .join('');
}
