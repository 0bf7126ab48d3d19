export { runConformance } from './run.ts';
export type { ConformanceModels, ConformanceOptions, ConformanceProgress } from './options.ts';
export { parseExpectedFailures, renderExpectedFailures } from './expected-failures.ts';
export type { ExpectedFailures } from './expected-failures.ts';
export { listRequirements } from './requirements/list-requirements.ts';
export type { RequirementSummary } from './requirements/list-requirements.ts';
export { renderReport } from './render/render.ts';
export type { ReportFormat } from './render/render.ts';
export type * from './report.ts';
