export { run } from './run.ts';
export type { Terminal } from './terminal.ts';
export { EXIT } from './exit-codes.ts';
