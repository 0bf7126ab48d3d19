import { ConfigError } from './config-error.ts';
import type { Config } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says, in the configuration's own words. An empty variable says nothing. */
export function fromEnvironment(env: Environment): Config {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const port = text('PORT');
  const keys = text('MODELWIRE_API_KEYS')
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const upstream = text('MODELWIRE_UPSTREAM_URL');
  const upstreamKey = text('MODELWIRE_UPSTREAM_API_KEY');
  if (keys?.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw new ConfigError('MODELWIRE_API_KEYS: a key must consist of visible ASCII characters without spaces');
  }
  return defined({
    host: text('HOST'),
    port: port === undefined ? undefined : portOf(port),
    data: text('MODELWIRE_DATA'),
    database: databaseOf(text('MODELWIRE_DATABASE_URL')),
    s3: s3Of(text),
    apiKeys: keys?.length ? keys : undefined,
    logLevel: levelOf(text('MODELWIRE_LOG_LEVEL')),
    gguf: text('MODELWIRE_GGUF'),
    models: aliasesOf(text('MODELWIRE_MODEL_ALIASES')),
    defaultModel: text('MODELWIRE_DEFAULT_MODEL'),
    upstreams:
      upstream === undefined ? undefined : [{ baseURL: urlOf(upstream), ...(upstreamKey && { apiKey: upstreamKey }) }],
  });
}

/** `gpt-4o=simulator,*=simulator` */
function aliasesOf(text: string | undefined): Config['models'] {
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

function s3Of(text: (name: string) => string | undefined): Config['s3'] {
  const bucket = text('MODELWIRE_S3_BUCKET');
  if (bucket === undefined) return undefined;
  const endpoint = text('MODELWIRE_S3_ENDPOINT');
  const region = text('MODELWIRE_S3_REGION') ?? text('AWS_REGION');
  const prefix = text('MODELWIRE_S3_PREFIX');
  return { bucket, ...(endpoint && { endpoint }), ...(region && { region }), ...(prefix && { prefix }) };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT: expected a number from 0 to 65535, not '${text}'`);
  return port;
}

function databaseOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError('MODELWIRE_DATABASE_URL: expected a postgres:// URL');
  }
  return text;
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError('MODELWIRE_UPSTREAM_URL: expected an http or https URL, such as http://127.0.0.1:11434/v1');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'MODELWIRE_UPSTREAM_URL: use MODELWIRE_UPSTREAM_API_KEY, not a user name or password in the URL',
    );
  }
  return text;
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

function levelOf(text: string | undefined): Config['logLevel'] {
  const level = levels.find((one) => one === text);
  if (text !== undefined && level === undefined)
    throw new ConfigError(`MODELWIRE_LOG_LEVEL: expected one of ${levels.join(', ')}, not '${text}'`);
  return level;
}

function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof defined<Fields>
  >;
}
