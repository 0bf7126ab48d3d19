/** Every environment variable that the server reads. `--help` and docs/configuration.md list them from here. */
export const environmentVariables = {
  PORT: 'port to listen on, like `port` and `--port`',
  HOST: 'address to listen on, like `host` and `--host`',
  MODELWIRE_WORKERS: '`workers`: a number, or `auto`; like `--workers`',
  MODELWIRE_CONFIG: 'configuration file, like `--config`',
  MODELWIRE_API_KEYS: '`apiKeys`, separated by commas',
  MODELWIRE_UPSTREAM_URL: 'base URL of an OpenAI-compatible server: the only entry of `upstreams`',
  MODELWIRE_UPSTREAM_API_KEY: '`apiKey` of that upstream',
  MODELWIRE_UPSTREAM_PRESET:
    '`preset` of that upstream: `vllm`, `sglang`, `tgi`, `ollama`, `llama.cpp`, `lmstudio` or `hosted`',
  MODELWIRE_LOCAL_SERVERS: '`localServers`: `true`, `false`, or base URLs separated by commas',
  MODELWIRE_PASS_THROUGH: '`passThrough`: `true`, `false`, or paths separated by commas',
  MODELWIRE_GGUF: '`gguf`: a file, an `https` URL or `hf:user/model:quant`; requires the package `node-llama-cpp`',
  HF_TOKEN: 'token for gated and private models of Hugging Face',
  HF_ENDPOINT: 'URL that `hf:` models are downloaded from; default `https://huggingface.co`',
  MODELWIRE_SIMULATOR: '`simulator`: `true` or `false`',
  MODELWIRE_MODEL_ALIASES: 'aliases, added to `models`: `gpt-4o=simulator,*=simulator`',
  MODELWIRE_DEFAULT_MODEL: '`defaultModel`',
  MODELWIRE_DATA: '`data`',
  MODELWIRE_DATABASE_URL: '`database`',
  MODELWIRE_S3_BUCKET: '`s3.bucket`',
  MODELWIRE_S3_ENDPOINT: '`s3.endpoint`, if `MODELWIRE_S3_BUCKET` is set',
  MODELWIRE_S3_REGION: '`s3.region`, if `MODELWIRE_S3_BUCKET` is set',
  MODELWIRE_S3_PREFIX: '`s3.prefix`, if `MODELWIRE_S3_BUCKET` is set',
  AWS_REGION: 'used if `MODELWIRE_S3_REGION` is not set',
  AWS_ACCESS_KEY_ID: 'credentials for the bucket',
  AWS_SECRET_ACCESS_KEY: 'credentials for the bucket',
  AWS_SESSION_TOKEN: 'credentials for the bucket, if they are temporary',
  MODELWIRE_LOG_LEVEL: '`logLevel`',
} as const;

export type EnvironmentVariable = keyof typeof environmentVariables;

/** Environment variables by name; those of `apiKeyEnv` have names of the operator's choice. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one of the documented variables. An empty variable counts as not set. */
export function readVariable(env: Environment, name: EnvironmentVariable): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
