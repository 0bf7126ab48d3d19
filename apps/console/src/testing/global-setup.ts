/** Builds the console once, before test files that run at the same time start servers with it. */
export { buildConsole as setup } from './built-console.ts';
