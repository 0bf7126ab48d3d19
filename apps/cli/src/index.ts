export { run } from './run.ts';
export { processTerminal } from './process-terminal.ts';
export type { Terminal } from './terminal.ts';
