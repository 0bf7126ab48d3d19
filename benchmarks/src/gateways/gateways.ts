import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutBuiltServer } from '../start/built-server.ts';
import { apiKey, model } from '../servers/payload.ts';

/** What a gateway gets: an empty folder, free ports, and the origin of the upstream, such as `http://127.0.0.1:1234`. */
interface Site {
  readonly folder: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly upstream: string;
}

/** How a gateway is started. */
interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Headers that requests need besides the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Gateway {
  readonly title: string;
  /** Writes its configuration. All have a key, a limit that is never reached, and metrics, if they can. */
  command(site: Site): Command;
}

/** A limit that no run reaches. */
const perSecond = 1_000_000;
const perMinute = perSecond * 60;

function written({ folder }: Site, name: string, value: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

/** The programs that are not npm packages: `GATEWAYS_PYTHON` is a Python with LiteLLM, sglang-router and Caddy, `ONWARDS` a program. */
export function findGateways(): { readonly found: readonly Gateway[]; readonly missing: readonly string[] } {
  const python = process.env['GATEWAYS_PYTHON'];
  const besides = (name: string) => (python === undefined ? undefined : join(dirname(python), name));
  const candidates: readonly (readonly [string, string | undefined, (program: string) => readonly Gateway[]])[] = [
    ['Modelwire', process.execPath, (node) => [modelwire(node)]],
    ['sglang-router', besides('sglang-router'), (program) => [sglangRouter(program)]],
    ['onwards', process.env['ONWARDS'], (program) => [onwards(program)]],
    ['LiteLLM', besides('litellm'), (program) => [liteLLM(program, false), liteLLM(program, true)]],
    ['Portkey', process.execPath, (node) => [portkey(node)]],
    ['Caddy', besides('caddy'), (program) => [caddy(program)]],
  ];
  const isHere = (program: string | undefined) => program !== undefined && existsSync(program);
  return {
    found: candidates.flatMap(([, program, make]) => (program !== undefined && isHere(program) ? make(program) : [])),
    missing: candidates.filter(([, program]) => !isHere(program)).map(([name]) => name),
  };
}

function modelwire(node: string): Gateway {
  const built = layOutBuiltServer();
  process.once('exit', built.remove);
  return {
    title: '**Modelwire**',
    command(site) {
      const config = written(site, 'modelwire.config.json', {
        simulator: false,
        upstreams: [{ baseURL: `${site.upstream}/v1`, apiKey }],
        models: { [model]: {} },
        apiKeys: [apiKey],
        requestsPerMinute: perMinute,
        logLevel: 'warn',
      });
      return {
        program: node,
        args: [built.main, '--config', config],
        env: { PORT: String(site.port), NODE_COMPILE_CACHE: join(built.folder, 'cache') },
      };
    },
  };
}

const sglangRouter = (program: string): Gateway => ({
  title: 'sglang-router (Rust)',
  command: ({ port, metricsPort, upstream }) => ({
    program,
    args: [
      ...['launch', '--backend', 'openai', '--history-backend', 'none', '--worker-urls', upstream],
      ...['--host', '127.0.0.1', '--port', String(port), '--api-key', apiKey, '--log-level', 'error'],
      ...['--max-concurrent-requests', String(perSecond), '--prometheus-port', String(metricsPort)],
    ],
  }),
});

const onwards = (program: string): Gateway => ({
  title: 'onwards (Rust)',
  command: (site) => ({
    program,
    args: [
      ...['--targets', written(site, 'onwards.json', onwardsTargets(site.upstream)), '--port', String(site.port)],
      ...['--metrics-port', String(site.metricsPort)],
    ],
    env: { RUST_LOG: 'error' },
  }),
});

const onwardsTargets = (upstream: string) => ({
  targets: {
    [model]: {
      url: upstream,
      onwards_key: apiKey,
      keys: [apiKey],
      rate_limit: { requests_per_second: perSecond, burst_size: perSecond },
    },
  },
  http_pool: { max_idle_per_host: 2000, idle_timeout_secs: 90 },
});

const liteLLM = (program: string, rust: boolean): Gateway => ({
  title: rust ? 'LiteLLM (Python), `LITELLM_RUST=1`' : 'LiteLLM (Python)',
  command: (site) => ({
    program,
    args: [
      ...['--config', written(site, 'litellm.json', liteLLMConfig(site.upstream)), '--host', '127.0.0.1'],
      ...['--port', String(site.port), '--telemetry', 'False'],
    ],
    env: { LITELLM_LOG: 'ERROR', ...(rust && { LITELLM_RUST: '1' }) },
  }),
});

const liteLLMConfig = (upstream: string) => ({
  model_list: [
    {
      model_name: model,
      litellm_params: { model: `openai/${model}`, api_base: `${upstream}/v1`, api_key: apiKey, rpm: perMinute },
    },
  ],
  general_settings: { master_key: apiKey },
  litellm_settings: { callbacks: ['prometheus'] },
});

/** It has neither keys nor limits nor metrics. */
const portkey = (node: string): Gateway => ({
  title: 'Portkey (Node.js)',
  command: ({ port, upstream }) => ({
    program: node,
    args: [
      fileURLToPath(import.meta.resolve('@portkey-ai/gateway/build/start-server.js')),
      ...['--headless', `--port=${port}`],
    ],
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` },
  }),
});

/** A reverse proxy that knows nothing of models: the least that forwarding costs. It has no limits. */
const caddy = (program: string): Gateway => ({
  title: 'Caddy (Go), no gateway',
  command: (site) => ({
    program,
    args: ['run', '--adapter', 'caddyfile', '--config', written(site, 'Caddyfile', caddyfile(site))],
    env: { XDG_DATA_HOME: site.folder, XDG_CONFIG_HOME: site.folder },
  }),
});

const caddyfile = ({ port, upstream }: Site) => `{
  admin off
  auto_https off
  metrics
  log default {
    level ERROR
  }
}
http://127.0.0.1:${port} {
  @denied not header Authorization "Bearer ${apiKey}"
  respond @denied 401
  reverse_proxy ${upstream} {
    flush_interval -1
  }
}
`;
