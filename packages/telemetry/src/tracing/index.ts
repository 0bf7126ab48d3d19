export { createTracing } from './create-tracing.ts';
export type { Tracing, TracingOptions } from './create-tracing.ts';
export { readTracingSettings, TracingSettingError } from './settings.ts';
export type { TracingSettings } from './settings.ts';
export { startTracing } from './start-tracing.ts';
export type { StartedTracing, StartTracingOptions } from './start-tracing.ts';
