import type { ChatModel } from '@modelwire/ports';
import type { UpstreamModel, UpstreamOptions, UpstreamServer } from './options.ts';
import { optionChecks } from './option-checks.ts';
import { createCircuitBreakers } from './circuit-breakers.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { presetNames, sharedCapabilities } from './presets.ts';
import type { UpstreamPreset } from './presets.ts';
import { secretsOf } from './secrets.ts';

/** The options with all defaults. */
export interface Settings {
  readonly name: string;
  readonly servers: readonly ServerSettings[];
  readonly models: readonly ModelSettings[];
  readonly retries: number;
  readonly circuitBreakers: CircuitBreakers;
}

export interface ServerSettings {
  readonly name: string;
  readonly preset: UpstreamPreset | undefined;
  /** Whether it serves `/responses`. */
  readonly hasResponses: boolean;
  readonly origin: string;
  /** Path of the base URL, without a trailing slash. */
  readonly basePath: string;
  /** The secrets in `headers`. */
  readonly secrets: readonly string[];
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** Configured headers, including the key, by lower-case name. */
  readonly configuredHeaders: Readonly<Record<string, string>>;
  readonly weight: number;
  /** null: unlimited. */
  readonly connections: number | null;
  readonly timeouts: { readonly connect: number; readonly firstByte: number; readonly idle: number };
}

export interface ModelSettings {
  readonly model: ChatModel;
  readonly shared: readonly TargetSettings[];
  readonly fallback: readonly TargetSettings[];
}

/** A server and the name of the model there. */
export interface TargetSettings {
  readonly server: string;
  readonly weight: number;
  readonly upstreamModel: string;
}

/** Validates all options and fills in the defaults. */
export function resolveOptions(options: UpstreamOptions, seconds: number): Settings {
  optionChecks.object('options', options, ['name', 'upstreams', 'models', 'retries', 'circuitBreaker']);
  const name = optionChecks.text('name', options.name ?? 'upstream');
  const servers = resolveServers(options.upstreams);
  optionChecks.object('models', options.models);
  const models = Object.entries(options.models).map(([id, model]) =>
    resolveModel(id, model, servers, { created: seconds, owned_by: name }),
  );
  if (models.length === 0) optionChecks.fail('models', 'must name at least one model');
  return Object.freeze({
    name,
    servers,
    models,
    retries: optionChecks.integer('retries', options.retries ?? 2, 0),
    circuitBreakers: resolveCircuitBreakers(options.circuitBreaker),
  });
}

/** Validates the upstreams and fills in their defaults. @throws a `TypeError` that names the option. */
export function resolveServers(upstreams: readonly UpstreamServer[]): readonly ServerSettings[] {
  const servers = optionChecks.list('upstreams', upstreams).map(resolveServer);
  optionChecks.unique(
    'upstreams',
    servers.map((server) => server.name),
  );
  return servers;
}

function resolveServer(server: UpstreamServer, index: number): ServerSettings {
  const at = `upstreams[${index}]`;
  optionChecks.object(at, server, [
    'name',
    'baseURL',
    'preset',
    'responses',
    'apiKey',
    'headers',
    'weight',
    'connections',
    'timeouts',
  ]);
  const url = optionChecks.url(`${at}.baseURL`, server.baseURL);
  if (server.apiKey !== undefined) optionChecks.headerValue(`${at}.apiKey`, server.apiKey);
  const { preset } = server;
  if (preset !== undefined && !presetNames.includes(preset)) {
    optionChecks.fail(`${at}.preset`, `must be one of ${presetNames.join(', ')}`);
  }
  const configured = configuredHeaders(at, server);
  const headers = [...configured].flat();
  const basePath = url.pathname.replace(/\/+$/, '');
  const timeouts = server.timeouts ?? {};
  optionChecks.object(`${at}.timeouts`, timeouts, ['connect', 'firstByte', 'idle']);
  return Object.freeze({
    name: optionChecks.text(`${at}.name`, server.name ?? `upstream-${index + 1}`),
    preset,
    hasResponses: optionChecks.flag(`${at}.responses`, server.responses ?? false),
    origin: url.origin,
    basePath,
    secrets: secretsOf(headers),
    headers: ['content-type', 'application/json', ...headers],
    configuredHeaders: Object.freeze(Object.fromEntries(configured)),
    weight: optionChecks.number(`${at}.weight`, server.weight ?? 1, 0),
    connections:
      server.connections === undefined ? null : optionChecks.integer(`${at}.connections`, server.connections, 1),
    timeouts: Object.freeze({
      connect: optionChecks.integer(`${at}.timeouts.connect`, timeouts.connect ?? 5_000, 1),
      firstByte: optionChecks.integer(`${at}.timeouts.firstByte`, timeouts.firstByte ?? 600_000, 1),
      idle: optionChecks.integer(`${at}.timeouts.idle`, timeouts.idle ?? 120_000, 1),
    }),
  });
}

/** Set for each request, so they cannot be configured. */
const reserved: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'idempotency-key',
  'transfer-encoding',
  'x-request-id',
]);

function configuredHeaders(at: string, server: UpstreamServer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  if (server.apiKey !== undefined) headers.set('authorization', `Bearer ${server.apiKey}`);
  optionChecks.object(`${at}.headers`, server.headers ?? {});
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    const lower = optionChecks.headerName(`${at}.headers`, name);
    if (reserved.has(lower)) optionChecks.fail(`${at}.headers`, `must not contain '${lower}', which the engine sets`);
    headers.set(lower, optionChecks.headerValue(`${at}.headers['${name}']`, value));
  }
  return headers;
}

function resolveModel(
  id: string,
  model: UpstreamModel,
  servers: readonly ServerSettings[],
  defaults: { readonly created: number; readonly owned_by: string },
): ModelSettings {
  const at = `models['${id}']`;
  optionChecks.object(at, model, ['upstreamModel', 'upstreams', 'fallback', 'capabilities', 'created', 'owned_by']);
  const known = servers.map((server) => server.name);
  const fallback = model.fallback ?? [];
  const shared = model.upstreams ?? known.filter((name) => !fallback.includes(name));
  optionChecks.names(`${at}.fallback`, fallback, known);
  optionChecks.names(`${at}.upstreams`, shared, known);
  optionChecks.unique(`${at}.upstreams and .fallback`, [...shared, ...fallback]);
  if (shared.length + fallback.length === 0) optionChecks.fail(`${at}.upstreams`, 'must name at least one upstream');
  const serving = servers.filter(({ name }) => shared.includes(name) || fallback.includes(name));
  const target = (server: string): TargetSettings => ({
    server,
    weight: servers.find(({ name }) => name === server)?.weight ?? 1,
    upstreamModel: nameThere(at, id, model, server, known),
  });
  return Object.freeze({
    model: Object.freeze({
      id,
      created: optionChecks.integer(`${at}.created`, model.created ?? defaults.created, 0),
      owned_by: optionChecks.text(`${at}.owned_by`, model.owned_by ?? defaults.owned_by),
      capabilities: sharedCapabilities(
        serving.map(({ preset }) => preset),
        model.capabilities,
      ),
      ...(serving.every(({ hasResponses }) => hasResponses) && { hasResponses: true }),
    }),
    shared: shared.map(target),
    fallback: fallback.map(target),
  });
}

function nameThere(at: string, id: string, model: UpstreamModel, server: string, known: readonly string[]): string {
  const { upstreamModel = id } = model;
  if (typeof upstreamModel === 'string') return optionChecks.text(`${at}.upstreamModel`, upstreamModel);
  optionChecks.object(`${at}.upstreamModel`, upstreamModel, known);
  return optionChecks.text(`${at}.upstreamModel['${server}']`, upstreamModel[server] ?? id);
}

/** Creates circuit breakers from options, or returns the given ones. @throws a `TypeError` that names the option. */
export function resolveCircuitBreakers(option: UpstreamOptions['circuitBreaker'] = {}): CircuitBreakers {
  optionChecks.object('circuitBreaker', option);
  return 'circuits' in option ? option : createCircuitBreakers(option);
}
