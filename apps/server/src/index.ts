export { readSettings } from './settings.ts';
export type { Flags, Settings } from './settings.ts';
export { start } from './start.ts';
export type { Running } from './start.ts';
export { configSchema } from './config/schema.ts';
export type { Config } from './config/schema.ts';
export { ConfigError } from './config/config-error.ts';
