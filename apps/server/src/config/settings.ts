import { resolve } from 'node:path';
import type { S3Credentials } from '@modelwire/blobs-s3';
import { readEnvironment } from './environment.ts';
import { readVariable } from './environment-variables.ts';
import type { Environment } from './environment-variables.ts';
import { ConfigError } from './config-error.ts';
import { loadConfigFile } from './file.ts';
import type { OidcSettings } from './oidc.ts';
import type { Config } from './schema.ts';
import type { HuggingFace } from '../model-download/model-source.ts';

/** The complete configuration of a server. */
export interface Settings extends Omit<Config, 'oidc'> {
  readonly oidc?: OidcSettings | undefined;
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly data: string;
  readonly drainMs: number;
  readonly logLevel: NonNullable<Config['logLevel']>;
  /** Credentials for `s3`. Read only from the environment, because configuration files are often committed. */
  readonly s3Credentials?: S3Credentials | undefined;
  /** Where models with a `path` such as `hf:user/model:quant` are downloaded from. Read only from the environment. */
  readonly huggingFace?: HuggingFace | undefined;
  /** Where `apiKeys` was set. */
  readonly keysFrom?: 'environment' | 'file' | undefined;
  /** The configuration file that was read, if any. */
  readonly configPath: string | undefined;
}

/** Command line flags. */
export interface Flags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly workers?: string | undefined;
  readonly config?: string | undefined;
}

/** Reads the settings. Flags override the environment, which overrides the configuration file, which overrides the defaults. */
export async function readSettings(folder: string, env: Environment, flags: Flags = {}): Promise<Settings> {
  const { config, path } = await loadConfigFile(folder, flags.config ?? readVariable(env, 'MODELWIRE_CONFIG'));
  const fromEnvironment = readEnvironment({
    ...env,
    ...(flags.host !== undefined && { HOST: flags.host }),
    ...(flags.port !== undefined && { PORT: flags.port }),
    ...(flags.workers !== undefined && { MODELWIRE_WORKERS: flags.workers }),
  });
  const models = fromEnvironment.models && { models: { ...config.models, ...fromEnvironment.models } };
  const merged = { ...config, ...fromEnvironment, ...models };
  return {
    ...merged,
    host: merged.host ?? '127.0.0.1',
    port: merged.port ?? 8787,
    data: resolve(folder, merged.data ?? '.modelwire'),
    drainMs: merged.drainMs ?? 30_000,
    logLevel: merged.logLevel ?? 'info',
    providers: merged.providers?.map((provider) => resolveProviderKey(provider, env)),
    upstreams: merged.upstreams?.map((upstream) => resolveApiKey('upstreams', upstream, env)),
    ...(typeof merged.moderation === 'object' &&
      'upstream' in merged.moderation && {
        moderation: { upstream: resolveApiKey('moderation.upstream', merged.moderation.upstream, env) },
      }),
    ...(typeof merged.videos === 'object' &&
      merged.videos.upstream && {
        videos: { ...merged.videos, upstream: resolveApiKey('videos.upstream', merged.videos.upstream, env) },
      }),
    ...(merged.webSearch && 'url' in merged.webSearch && { webSearch: resolveSearchKey(merged.webSearch, env) }),
    oidc: merged.oidc && resolveClientSecret(merged.oidc, env),
    huggingFace: { token: readVariable(env, 'HF_TOKEN'), endpoint: readHuggingFaceUrl(env) },
    ...(merged.s3 && { s3Credentials: readS3Credentials(env) }),
    ...(merged.apiKeys && { keysFrom: fromEnvironment.apiKeys ? ('environment' as const) : ('file' as const) }),
    configPath: path,
  };
}

function resolveClientSecret(
  { clientSecretEnv, ...rest }: NonNullable<Config['oidc']>,
  env: Environment,
): OidcSettings {
  if (clientSecretEnv === undefined) return rest;
  const clientSecret = env[clientSecretEnv];
  if (!clientSecret)
    throw new ConfigError(`oidc: the environment variable ${clientSecretEnv} (clientSecretEnv) is not set`);
  return { ...rest, clientSecret };
}

function readHuggingFaceUrl(env: Environment): string | undefined {
  const endpoint = readVariable(env, 'HF_ENDPOINT');
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new ConfigError('HF_ENDPOINT must be an http or https URL, such as https://huggingface.co');
  return endpoint;
}

/** Undefined if the AWS SDK has to find credentials. */
function readS3Credentials(env: Environment): S3Credentials | undefined {
  const accessKeyId = readVariable(env, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = readVariable(env, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = readVariable(env, 'AWS_SESSION_TOKEN');
  if (!accessKeyId && !secretAccessKey) return undefined;
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      `s3: the environment variable ${accessKeyId ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'} is not set`,
    );
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

interface RemoteServer {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

type SearchServer = Extract<NonNullable<Config['webSearch']>, { readonly url: string }>;

function resolveSearchKey({ url, ...rest }: SearchServer, env: Environment): Omit<SearchServer, 'apiKeyEnv'> {
  const { baseURL, ...keyed } = resolveApiKey('webSearch', { baseURL: url, ...rest }, env);
  return { url: baseURL, ...keyed };
}

type Provider = NonNullable<Config['providers']>[number];

function resolveProviderKey(provider: Provider, env: Environment): Omit<Provider, 'apiKeyEnv'> {
  const { apiKeyEnv, ...rest } = provider;
  if (apiKeyEnv === undefined) return rest;
  const apiKey = env[apiKeyEnv];
  if (!apiKey) {
    throw new ConfigError(
      `providers: the environment variable ${apiKeyEnv} (apiKeyEnv of ${provider.package}) is not set`,
    );
  }
  return { ...rest, apiKey };
}

function resolveApiKey<Given extends RemoteServer>(
  field: string,
  upstream: Given,
  env: Environment,
): Omit<Given, 'apiKeyEnv'> {
  const { apiKeyEnv, ...rest } = upstream;
  if (apiKeyEnv === undefined) return rest;
  const apiKey = env[apiKeyEnv];
  if (!apiKey)
    throw new ConfigError(
      `${field}: the environment variable ${apiKeyEnv} (apiKeyEnv of ${upstream.baseURL}) is not set`,
    );
  return { ...rest, apiKey };
}
