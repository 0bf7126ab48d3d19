export { readSettings } from './config/settings.ts';
export type { Flags, Settings } from './config/settings.ts';
export { start } from './start/start.ts';
export type { RunningServer } from './start/start.ts';
export { startServer } from './start/start-server.ts';
export type { StartedServer, StartOptions } from './start/started-server.ts';
export type { Config } from './config/schema.ts';
export { ConfigError } from './config/config-error.ts';

// For programs that embed this server, such as `modelwire serve` and `modelwire init`.
export { banner } from './start/banner.ts';
export { keysCommand } from './keys/keys-command.ts';
export { openStores } from './storage/stores.ts';
export { readEnvironment } from './config/environment.ts';
export { hostedProviders } from './upstreams/known-providers.ts';
export { describeLocalServer, findLocalServers } from './upstreams/local-servers.ts';
export type { LocalServer } from './upstreams/local-servers.ts';
