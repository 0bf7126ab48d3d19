// For the tests, measurements and documents of this repository; not published.
export { configSchema } from '../config/schema.ts';
export { environmentVariables } from '../config/environment-variables.ts';
export { listeningUrl } from './listening-url.ts';
export { mp4Of } from './mp4.ts';
export { startWithSwitchableTelemetry } from './switchable-telemetry.ts';
export type { ServerWithSwitchableTelemetry } from './switchable-telemetry.ts';
export { testSettings } from './test-settings.ts';
