// For the tests and measurements of this repository; not published.
export { listeningUrl } from './listening-url.ts';
export { testSettings } from './test-settings.ts';
