import { nearest } from '@modelwire/schema/internal/nearest';

/** Every environment variable that the server reads. `--help` and docs/configuration.md list them from here. */
export const environmentVariables = {
  PORT: 'port to listen on, like `port` and `--port`',
  HOST: 'address to listen on, like `host` and `--host`',
  MODELWIRE_WORKERS: 'number of worker processes, or `auto`, like `workers` and `--workers`',
  MODELWIRE_CONFIG: 'configuration file, like `--config`',
  MODELWIRE_API_KEYS: 'API keys that clients may use, separated by commas (`apiKeys`)',
  MODELWIRE_UPSTREAM_URL: 'base URL of an OpenAI-compatible server to serve, instead of `upstreams`',
  MODELWIRE_UPSTREAM_API_KEY: 'API key of that upstream',
  MODELWIRE_UPSTREAM_PRESET:
    'kind of that upstream: `vllm`, `sglang`, `tgi`, `ollama`, `llama.cpp`, `lmstudio` or `hosted`',
  MODELWIRE_LOCAL_SERVERS:
    'whether to look for model servers on this machine: `true`, `false`, or base URLs separated by commas (`localServers`)',
  MODELWIRE_PASS_THROUGH:
    'whether to forward other paths to upstreams: `true`, `false`, or paths separated by commas (`passThrough`)',
  MODELWIRE_GGUF:
    'GGUF model to run: a file, an `https` URL or `hf:user/model:quant`; requires the package `node-llama-cpp` (`gguf`)',
  MODELWIRE_GGUF_CONTEXT: 'context size of that model in tokens, 64 or more (`gguf[].contextSize`)',
  HF_TOKEN: 'token for gated and private models of Hugging Face',
  HF_ENDPOINT: 'URL that `hf:` models are downloaded from; default `https://huggingface.co`',
  MODELWIRE_SIMULATOR: 'whether to serve the embedded simulator: `true` or `false` (`simulator`)',
  MODELWIRE_MODEL_ALIASES: 'model aliases, such as `gpt-4o=simulator,*=simulator`; added to `models`',
  MODELWIRE_DEFAULT_MODEL: 'model for chat requests without one (`defaultModel`)',
  MODELWIRE_DATA: 'data folder, default `.modelwire` (`data`)',
  MODELWIRE_DATABASE_URL: 'URL of a PostgreSQL database to use instead of SQLite (`database`)',
  MODELWIRE_S3_BUCKET: 'S3 bucket for file contents (`s3.bucket`)',
  MODELWIRE_S3_ENDPOINT: 'URL of the S3 service, if `MODELWIRE_S3_BUCKET` is set (`s3.endpoint`)',
  MODELWIRE_S3_REGION: 'region, if `MODELWIRE_S3_BUCKET` is set (`s3.region`)',
  MODELWIRE_S3_PREFIX: 'prefix of object keys, if `MODELWIRE_S3_BUCKET` is set (`s3.prefix`)',
  AWS_REGION: 'region, if `MODELWIRE_S3_REGION` is not set',
  AWS_ACCESS_KEY_ID: 'credentials for the bucket; without them, those that the AWS SDK finds',
  AWS_SECRET_ACCESS_KEY: 'credentials for the bucket',
  AWS_SESSION_TOKEN: 'credentials for the bucket, if they are temporary',
  MODELWIRE_LOG_LEVEL: 'minimum level of log lines, default `info` (`logLevel`)',
} as const;

export type EnvironmentVariable = keyof typeof environmentVariables;

/** Environment variables by name; those of `apiKeyEnv` have names of the operator's choice. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one of the documented variables. An empty variable counts as not set. */
export function readVariable(env: Environment, name: EnvironmentVariable): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Variables of the clients and of the command line, which may be set in the same shell. */
const ofClients: readonly string[] = [
  'MODELWIRE_API_KEY',
  'MODELWIRE_BASE_URL',
  'MODELWIRE_MODEL',
  'MODELWIRE_PROFILE',
];

const prefix = /^MODELWIRE_/;
const names = Object.keys(environmentVariables);

/** The documented variable that an unknown one is likely to mean, such as `PORT` for `MODELWIRE_PORT`. */
export function meantVariable(name: string, value: string | undefined): string | undefined {
  // Kubernetes sets such a variable for a service with the name `modelwire`.
  const isOfKubernetes = /^(tcp|udp):/.test(value ?? '');
  if (!prefix.test(name) || names.includes(name) || ofClients.includes(name) || isOfKubernetes) return undefined;
  const meant = nearest(
    name.replace(prefix, ''),
    names.map((known) => known.replace(prefix, '')),
  );
  return names.find((known) => known.replace(prefix, '') === meant);
}
