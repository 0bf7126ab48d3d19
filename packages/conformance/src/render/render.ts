import type { ConformanceReport } from '../report.ts';
import { renderBadge } from './badge.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderSvg } from './svg.ts';

export type ReportFormat = 'html' | 'json' | 'md' | 'junit' | 'sarif' | 'svg' | 'badge';

/** Renders a report: a self-contained page, JSON, Markdown, JUnit XML, SARIF, the image alone, or the JSON of a badge. */
export function renderReport(report: ConformanceReport, format: ReportFormat): string {
  switch (format) {
    case 'html':
      return renderHtml(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'md':
      return renderMarkdown(report);
    case 'junit':
      return renderJunit(report);
    case 'sarif':
      return renderSarif(report);
    case 'badge':
      return renderBadge(report);
    case 'svg':
      return renderSvg(report);
  }
}
