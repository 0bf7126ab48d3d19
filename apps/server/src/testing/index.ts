// For the tests and measurements of this repository; not published.
export { listeningUrl } from './listening-url.ts';
export { startSwitchable } from './start-switchable.ts';
export type { SwitchableServer } from './start-switchable.ts';
export { testSettings } from './test-settings.ts';
