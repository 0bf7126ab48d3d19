export { consoleFiles } from './console-files.ts';
export type { RecentErrorList, ServerStatus, UsageReport } from './api-types.ts';
