import { presetNames } from '@modelwire/engine-upstream/internal';
import type { UpstreamPreset } from '@modelwire/engine-upstream';
import { ConfigError } from './config-error.ts';
import { meantVariable, readVariable } from './environment-variables.ts';
import type { Environment, EnvironmentVariable } from './environment-variables.ts';
import { maxWorkers } from './schema.ts';
import type { Config } from './schema.ts';

/**
 * Reads the configuration fields that are set by environment variables. An empty variable counts as not set.
 *
 * @throws ConfigError that names the variable, also one that is not known and looks like a misspelled one.
 */
export function readEnvironment(env: Environment): Config {
  for (const [name, value] of Object.entries(env)) {
    const meant = meantVariable(name, value);
    if (meant !== undefined) throw new ConfigError(`Unknown environment variable ${name}. Did you mean ${meant}?`);
  }
  const text = (name: EnvironmentVariable): string | undefined => readVariable(env, name);
  const port = text('PORT');
  const keys = text('MODELWIRE_API_KEYS')
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const upstream = text('MODELWIRE_UPSTREAM_URL');
  const upstreamKey = text('MODELWIRE_UPSTREAM_API_KEY');
  const upstreamPreset = parsePreset(text('MODELWIRE_UPSTREAM_PRESET'));
  if (keys?.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw new ConfigError('MODELWIRE_API_KEYS: a key must consist of visible ASCII characters without spaces');
  }
  return pickDefined({
    host: text('HOST'),
    port: port === undefined ? undefined : parsePort(port),
    workers: parseWorkers(text('MODELWIRE_WORKERS')),
    data: text('MODELWIRE_DATA'),
    database: parseDatabaseUrl(text('MODELWIRE_DATABASE_URL')),
    s3: readS3(text),
    apiKeys: keys?.length ? keys : undefined,
    logLevel: parseLogLevel(text('MODELWIRE_LOG_LEVEL')),
    localServers: parseLocalServers(text('MODELWIRE_LOCAL_SERVERS')),
    passThrough: parsePassThrough(text('MODELWIRE_PASS_THROUGH')),
    gguf: readGguf(text('MODELWIRE_GGUF'), text('MODELWIRE_GGUF_CONTEXT')),
    simulator: parseBoolean('MODELWIRE_SIMULATOR', text('MODELWIRE_SIMULATOR')),
    models: parseAliases(text('MODELWIRE_MODEL_ALIASES')),
    defaultModel: text('MODELWIRE_DEFAULT_MODEL'),
    upstreams:
      upstream === undefined
        ? undefined
        : [
            {
              baseURL: parseUpstreamUrl(upstream),
              ...(upstreamKey && { apiKey: upstreamKey }),
              ...(upstreamPreset && { preset: upstreamPreset }),
            },
          ],
  });
}

function parseBoolean(name: EnvironmentVariable, text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'true' || text === 'false')
    return text === undefined ? undefined : text === 'true';
  throw new ConfigError(`${name}: expected true or false, not '${text}'`);
}

/** `true`, `false`, or a list that is separated by commas. */
function parseSwitch(text: string | undefined): boolean | string[] | undefined {
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  return text.split(',').map((item) => item.trim());
}

function parseLocalServers(text: string | undefined): Config['localServers'] {
  const urls = parseSwitch(text);
  if (typeof urls === 'object') for (const url of urls) parseURL('MODELWIRE_LOCAL_SERVERS', url);
  return urls;
}

/** `true`, `false`, or `/rerank,/audio/*` */
function parsePassThrough(text: string | undefined): Config['passThrough'] {
  const paths = parseSwitch(text);
  if (typeof paths !== 'object') return paths;
  for (const path of paths) {
    if (!/^\/(?!v1\/)[^*?#]*\*?$/.test(path)) {
      throw new ConfigError(
        `MODELWIRE_PASS_THROUGH: expected true, false, or paths below /v1 such as /rerank,/audio/*, not '${path}'`,
      );
    }
  }
  return paths;
}

/** `gpt-4o=simulator,*=simulator` */
function parseAliases(text: string | undefined): Config['models'] {
  if (text === undefined) return undefined;
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const [alias, model] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
      if (at === -1 || alias === '' || model === '') {
        throw new ConfigError(
          `MODELWIRE_MODEL_ALIASES: expected pairs such as gpt-4o=simulator,*=simulator, not '${pair.trim()}'`,
        );
      }
      return [alias, { model }];
    }),
  );
}

function readS3(text: (name: EnvironmentVariable) => string | undefined): Config['s3'] {
  const bucket = text('MODELWIRE_S3_BUCKET');
  if (bucket === undefined) return undefined;
  const endpoint = text('MODELWIRE_S3_ENDPOINT');
  const region = text('MODELWIRE_S3_REGION') ?? text('AWS_REGION');
  const prefix = text('MODELWIRE_S3_PREFIX');
  return { bucket, ...(endpoint && { endpoint }), ...(region && { region }), ...(prefix && { prefix }) };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT (--port): expected a number from 0 to 65535, not '${text}'`);
  return port;
}

function parseWorkers(text: string | undefined): Config['workers'] {
  if (text === undefined || text === 'auto') return text;
  const workers = Number(text);
  if (!Number.isInteger(workers) || workers < 1 || workers > maxWorkers)
    throw new ConfigError(
      `MODELWIRE_WORKERS (--workers): expected a number from 1 to ${maxWorkers}, or auto, not '${text}'`,
    );
  return workers;
}

function parseDatabaseUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError('MODELWIRE_DATABASE_URL: expected a postgres:// URL');
  }
  return text;
}

function parseURL(name: EnvironmentVariable, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`${name}: expected an http or https URL, such as http://127.0.0.1:11434/v1`);
  }
  return url;
}

function parseUpstreamUrl(text: string): string {
  const url = parseURL('MODELWIRE_UPSTREAM_URL', text);
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'MODELWIRE_UPSTREAM_URL: use MODELWIRE_UPSTREAM_API_KEY, not a user name or password in the URL',
    );
  }
  return text;
}

function parsePreset(text: string | undefined): UpstreamPreset | undefined {
  const preset = presetNames.find((name) => name === text);
  if (text !== undefined && preset === undefined) {
    throw new ConfigError(`MODELWIRE_UPSTREAM_PRESET: expected one of ${presetNames.join(', ')}, not '${text}'`);
  }
  return preset;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

function parseLogLevel(text: string | undefined): Config['logLevel'] {
  const level = logLevels.find((name) => name === text);
  if (text !== undefined && level === undefined)
    throw new ConfigError(`MODELWIRE_LOG_LEVEL: expected one of ${logLevels.join(', ')}, not '${text}'`);
  return level;
}

function pickDefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof pickDefined<Fields>
  >;
}

function readGguf(path: string | undefined, context: string | undefined): Config['gguf'] {
  if (context === undefined) return path;
  if (path === undefined) throw new ConfigError('MODELWIRE_GGUF_CONTEXT requires MODELWIRE_GGUF, the model to run');
  const contextSize = /^[0-9]+$/.test(context) ? Number(context) : 0;
  if (contextSize < 64 || !Number.isSafeInteger(contextSize)) {
    throw new ConfigError(`MODELWIRE_GGUF_CONTEXT: expected an integer of at least 64, but got '${context}'`);
  }
  return [{ path, contextSize }];
}
