export { readSettings } from './settings.ts';
export type { Flags, Settings } from './settings.ts';
export { start } from './start.ts';
export type { RunningServer } from './start.ts';
export { startServer } from './start-server.ts';
export type { StartedServer, StartOptions } from './started-server.ts';
export { configSchema } from './config/schema.ts';
export type { Config } from './config/schema.ts';
export { environmentVariables } from './config/environment-variables.ts';
export { ConfigError } from './config/config-error.ts';

// For programs that embed this server, such as `modelwire serve`.
export { banner } from './banner.ts';
export { keysCommand } from './keys-command.ts';
export { openStores } from './stores.ts';
