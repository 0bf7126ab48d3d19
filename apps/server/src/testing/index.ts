// For the tests and measurements of this repository; not published.
export { listeningUrl } from './listening-url.ts';
export { startWithSwitchableTelemetry } from './switchable-telemetry.ts';
export type { ServerWithSwitchableTelemetry } from './switchable-telemetry.ts';
export { testSettings } from './test-settings.ts';
