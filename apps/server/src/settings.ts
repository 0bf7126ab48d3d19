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
  /** For `s3`, from the environment alone: a configuration file is shown and committed. */
  readonly s3Credentials?: S3Credentials | undefined;
  /** Where `apiKeys` came from. */
  readonly keysFrom?: 'configured' | 'file' | undefined;
  /** The file that was read, if there is one. */
  readonly configPath: string | undefined;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
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
  const models = said.models && { models: { ...config.models, ...said.models } };
  const merged = { ...config, ...said, ...models };
  return {
    ...merged,
    host: merged.host ?? '127.0.0.1',
    port: merged.port ?? 8787,
    data: resolve(folder, merged.data ?? '.modelwire'),
    drainMs: merged.drainMs ?? 30_000,
    logLevel: merged.logLevel ?? 'info',
    upstreams: merged.upstreams?.map((upstream) => withKey('upstreams', upstream, env)),
    ...(typeof merged.moderation === 'object' &&
      'upstream' in merged.moderation && {
        moderation: { upstream: withKey('moderation.upstream', merged.moderation.upstream, env) },
      }),
    ...(typeof merged.videos === 'object' &&
      merged.videos.upstream && {
        videos: { ...merged.videos, upstream: withKey('videos.upstream', merged.videos.upstream, env) },
      }),
    ...(merged.webSearch && 'url' in merged.webSearch && { webSearch: withSearchKey(merged.webSearch, env) }),
    ...(merged.s3 && { s3Credentials: s3Credentials(env) }),
    ...(merged.apiKeys && { keysFrom: said.apiKeys ? ('configured' as const) : ('file' as const) }),
    configPath: path,
  };
}

function s3Credentials(env: Environment): S3Credentials {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError('s3: the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

interface Service {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

type SearchService = Extract<NonNullable<Config['webSearch']>, { readonly url: string }>;

function withSearchKey({ url, ...rest }: SearchService, env: Environment): Omit<SearchService, 'apiKeyEnv'> {
  const { baseURL, ...keyed } = withKey('webSearch', { baseURL: url, ...rest }, env);
  return { url: baseURL, ...keyed };
}

function withKey<Given extends Service>(where: string, upstream: Given, env: Environment): Omit<Given, 'apiKeyEnv'> {
  const { apiKeyEnv, ...rest } = upstream;
  if (apiKeyEnv === undefined) return rest;
  const apiKey = env[apiKeyEnv];
  if (!apiKey)
    throw new ConfigError(
      `${where}: the environment variable ${apiKeyEnv} (apiKeyEnv of ${upstream.baseURL}) is not set`,
    );
  return { ...rest, apiKey };
}
