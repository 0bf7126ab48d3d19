/** Settings of all servers of tests: on a free port, without a log and a configuration file. */
export const testSettings = {
  host: '127.0.0.1',
  port: 0,
  drainMs: 100,
  logLevel: 'silent',
  configPath: undefined,
} as const;
