import { resolve } from 'node:path';
import { fromEnvironment } from './config/environment.ts';
import type { Environment } from './config/environment.ts';
import { ConfigError } from './config/config-error.ts';
import { loadConfigFile } from './config/file.ts';
import type { Config } from './config/schema.ts';

/** Everything a server needs to start, with nothing left open. */
export interface Settings extends Config {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly data: string;
  readonly drainMs: number;
  readonly logLevel: NonNullable<Config['logLevel']>;
  /** Where `apiKeys` came from. */
  readonly keysFrom?: 'configured' | 'file' | undefined;
  /** The file that was read, if there is one. */
  readonly configPath: string | undefined;
}

/** What the command line says. */
export interface Flags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly config?: string | undefined;
}

/** The one door for settings: flags win over the environment, that over the file, that over the defaults. */
export async function readSettings(folder: string, env: Environment, flags: Flags = {}): Promise<Settings> {
  const { config, path } = await loadConfigFile(folder, flags.config ?? env['MODELWIRE_CONFIG']);
  const said = fromEnvironment({
    ...env,
    ...(flags.host !== undefined && { HOST: flags.host }),
    ...(flags.port !== undefined && { PORT: flags.port }),
  });
  const merged = { ...config, ...said };
  return {
    ...merged,
    host: merged.host ?? '127.0.0.1',
    port: merged.port ?? 8787,
    data: resolve(folder, merged.data ?? '.modelwire'),
    drainMs: merged.drainMs ?? 30_000,
    logLevel: merged.logLevel ?? 'info',
    upstreams: merged.upstreams?.map((upstream) => withKey(upstream, env)),
    ...(merged.apiKeys && { keysFrom: said.apiKeys ? ('configured' as const) : ('file' as const) }),
    configPath: path,
  };
}

function withKey(upstream: NonNullable<Config['upstreams']>[number], env: Environment) {
  const { apiKeyEnv, ...rest } = upstream;
  if (apiKeyEnv === undefined) return rest;
  const apiKey = env[apiKeyEnv];
  if (!apiKey)
    throw new ConfigError(
      `upstreams: the environment variable ${apiKeyEnv} (apiKeyEnv of ${upstream.baseURL}) is not set`,
    );
  return { ...rest, apiKey };
}
