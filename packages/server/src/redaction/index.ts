// A separate entry point (`@modelwire/server/redaction`): it needs Node's processes.
export { commandRedaction } from './command-redaction.ts';
export type { CommandRedactionOptions } from './command-redaction.ts';
