import { structuredOutputsModes } from '@modelwire/ports/internal';
import type { ChatModel } from '@modelwire/ports';
import type { UpstreamModel, UpstreamOptions, UpstreamServer } from './options.ts';
import { optionChecks } from './option-checks.ts';
import { createCircuitBreakers } from '../attempts/circuit-breakers.ts';
import type { CircuitBreakers } from '../attempts/circuit-breakers.ts';
import { commonCapabilities, presetNames } from './presets.ts';
import type { UpstreamPreset } from './presets.ts';
import { defaultRouting, routingPolicies } from '@modelwire/adapter-kit/internal';
import type { RoutingOptions, RoutingPolicy } from '@modelwire/adapter-kit/routing';
import { credentialHeaders } from '../requests/credential-headers.ts';
import type { RoutingSettings } from '@modelwire/adapter-kit/internal';
import { extractSecrets } from '../requests/secrets.ts';

/** The options with all defaults. */
export interface Settings {
  readonly name: string;
  readonly servers: readonly ServerSettings[];
  readonly models: readonly ModelSettings[];
  readonly retries: number;
  readonly circuitBreakers: CircuitBreakers;
  readonly routing: RoutingSettings;
}

export interface ServerSettings {
  readonly name: string;
  readonly preset: UpstreamPreset | undefined;
  /** Whether it serves `/responses`. */
  readonly supportsResponses: boolean;
  readonly dialect: UpstreamServer['dialect'];
  readonly promptCacheKey: UpstreamServer['promptCacheKey'];
  /** Whether lines of batches are submitted to its batch API. */
  readonly forwardsBatches: boolean;
  readonly structuredOutputs: UpstreamServer['structuredOutputs'];
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
  readonly routing: RoutingPolicy;
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
export function resolveOptions(options: UpstreamOptions, createdAt: number): Settings {
  optionChecks.object('options', options, [
    'name',
    'upstreams',
    'models',
    'retries',
    'circuitBreaker',
    'routing',
    'onUnknownFinishReason',
  ]);
  const name = optionChecks.text('name', options.name ?? 'upstream');
  const servers = resolveServers(options.upstreams);
  optionChecks.object('models', options.models);
  const models = Object.entries(options.models).map(([id, model]) =>
    resolveModel(id, model, servers, { created: createdAt, owned_by: name }),
  );
  if (models.length === 0) optionChecks.fail('models', 'must name at least one model');
  return Object.freeze({
    name,
    servers,
    models,
    retries: optionChecks.integer('retries', options.retries ?? 2, 0),
    circuitBreakers: resolveCircuitBreakers(options.circuitBreaker),
    routing: resolveRouting(options.routing),
  });
}

function resolveRouting(routing: RoutingOptions = {}): RoutingSettings {
  optionChecks.object('routing', routing, ['minimumInFlight', 'keyPartLength', 'onDeviation', 'onSlowChange']);
  return Object.freeze({
    ...routing,
    minimumInFlight: optionChecks.integer(
      'routing.minimumInFlight',
      routing.minimumInFlight ?? defaultRouting.minimumInFlight,
      1,
    ),
    keyPartLength: optionChecks.integer(
      'routing.keyPartLength',
      routing.keyPartLength ?? defaultRouting.keyPartLength,
      1,
    ),
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
  const optionPath = `upstreams[${index}]`;
  optionChecks.object(optionPath, server, [
    'name',
    'baseURL',
    'preset',
    'responses',
    'dialect',
    'promptCacheKey',
    'batch',
    'structuredOutputs',
    'apiKey',
    'headers',
    'weight',
    'connections',
    'timeouts',
  ]);
  const url = optionChecks.url(`${optionPath}.baseURL`, server.baseURL);
  if (server.apiKey !== undefined) optionChecks.headerValue(`${optionPath}.apiKey`, server.apiKey);
  const { preset } = server;
  if (preset !== undefined && !presetNames.includes(preset)) {
    optionChecks.fail(`${optionPath}.preset`, `must be one of ${presetNames.join(', ')}`);
  }
  const { promptCacheKey } = server;
  if (promptCacheKey !== undefined && promptCacheKey !== 'cache_salt') {
    optionChecks.object(`${optionPath}.promptCacheKey`, promptCacheKey, ['slots']);
    optionChecks.integer(`${optionPath}.promptCacheKey.slots`, promptCacheKey.slots, 1);
  }
  const batch: string | undefined = server.batch;
  if (batch !== undefined && batch !== 'forward') optionChecks.fail(`${optionPath}.batch`, "must be 'forward'");
  const { structuredOutputs } = server;
  if (structuredOutputs !== undefined && !structuredOutputsModes.includes(structuredOutputs)) {
    optionChecks.fail(`${optionPath}.structuredOutputs`, `must be one of ${structuredOutputsModes.join(', ')}`);
  }
  const dialect = resolveDialect(optionPath, server);
  const resolvedHeaders = resolveHeaders(optionPath, server);
  const headers = [...resolvedHeaders].flat();
  const basePath = url.pathname.replace(/\/+$/, '');
  const timeouts = server.timeouts ?? {};
  optionChecks.object(`${optionPath}.timeouts`, timeouts, ['connect', 'firstByte', 'idle']);
  return Object.freeze({
    name: optionChecks.text(`${optionPath}.name`, server.name ?? `upstream-${index + 1}`),
    preset,
    supportsResponses: optionChecks.flag(`${optionPath}.responses`, server.responses ?? false),
    dialect,
    promptCacheKey,
    forwardsBatches: batch === 'forward',
    // Its server enforces schemas itself.
    structuredOutputs: dialect ? 'off' : structuredOutputs,
    origin: url.origin,
    basePath,
    secrets: extractSecrets(headers),
    headers: ['content-type', 'application/json', 'accept-encoding', 'identity', ...headers],
    configuredHeaders: Object.freeze(Object.fromEntries(resolvedHeaders)),
    weight: optionChecks.number(`${optionPath}.weight`, server.weight ?? 1, 0),
    connections:
      server.connections === undefined
        ? null
        : optionChecks.integer(`${optionPath}.connections`, server.connections, 1),
    timeouts: Object.freeze({
      connect: optionChecks.integer(`${optionPath}.timeouts.connect`, timeouts.connect ?? 5_000, 1),
      firstByte: optionChecks.integer(`${optionPath}.timeouts.firstByte`, timeouts.firstByte ?? 600_000, 1),
      idle: optionChecks.integer(`${optionPath}.timeouts.idle`, timeouts.idle ?? 120_000, 1),
    }),
  });
}

/** Options that only concern chat requests. */
const chatOptions = ['preset', 'responses', 'promptCacheKey', 'batch', 'structuredOutputs'] as const;

function resolveDialect(optionPath: string, server: UpstreamServer): UpstreamServer['dialect'] {
  const dialect: string | undefined = server.dialect;
  if (dialect === undefined) return undefined;
  if (dialect !== 'messages') optionChecks.fail(`${optionPath}.dialect`, "must be 'messages'");
  const unused = chatOptions.find((name) => server[name] !== undefined);
  if (unused) optionChecks.fail(`${optionPath}.${unused}`, "does not apply with dialect: 'messages'");
  return 'messages';
}

/** Set for each request, so they cannot be configured. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'idempotency-key',
  'transfer-encoding',
  'x-request-id',
]);

function resolveHeaders(optionPath: string, server: UpstreamServer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(credentialHeaders(server))) headers.set(name, value);
  optionChecks.object(`${optionPath}.headers`, server.headers ?? {});
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    const lower = optionChecks.headerName(`${optionPath}.headers`, name);
    if (reservedHeaders.has(lower))
      optionChecks.fail(`${optionPath}.headers`, `must not contain '${lower}', which the engine sets`);
    headers.set(lower, optionChecks.headerValue(`${optionPath}.headers['${name}']`, value));
  }
  return headers;
}

function resolveModel(
  id: string,
  model: UpstreamModel,
  servers: readonly ServerSettings[],
  defaults: { readonly created: number; readonly owned_by: string },
): ModelSettings {
  const optionPath = `models['${id}']`;
  optionChecks.object(optionPath, model, [
    'upstreamModel',
    'upstreams',
    'fallback',
    'routing',
    'capabilities',
    'created',
    'owned_by',
  ]);
  const serverNames = servers.map((server) => server.name);
  const fallback = model.fallback ?? [];
  const shared = model.upstreams ?? serverNames.filter((name) => !fallback.includes(name));
  optionChecks.names(`${optionPath}.fallback`, fallback, serverNames);
  optionChecks.names(`${optionPath}.upstreams`, shared, serverNames);
  optionChecks.unique(`${optionPath}.upstreams and .fallback`, [...shared, ...fallback]);
  if (shared.length + fallback.length === 0)
    optionChecks.fail(`${optionPath}.upstreams`, 'must name at least one upstream');
  const routing = model.routing ?? 'affinity';
  if (!routingPolicies.includes(routing))
    optionChecks.fail(`${optionPath}.routing`, `must be one of ${routingPolicies.join(', ')}`);
  const serving = servers.filter(({ name }) => shared.includes(name) || fallback.includes(name));
  const [dialect, ...otherDialects] = new Set(serving.map((server) => server.dialect));
  if (otherDialects.length > 0) optionChecks.fail(`${optionPath}.upstreams`, 'must not have several dialects');
  const target = (server: string): TargetSettings => ({
    server,
    weight: servers.find(({ name }) => name === server)?.weight ?? 1,
    upstreamModel: resolveUpstreamModel(optionPath, id, model, server, serverNames),
  });
  return Object.freeze({
    model: Object.freeze({
      id,
      created: optionChecks.integer(`${optionPath}.created`, model.created ?? defaults.created, 0),
      owned_by: optionChecks.text(`${optionPath}.owned_by`, model.owned_by ?? defaults.owned_by),
      capabilities: commonCapabilities(serving, model.capabilities),
      ...(serving.every(({ supportsResponses }) => supportsResponses) && { supportsResponses: true }),
      ...(dialect && { dialect }),
    }),
    routing,
    shared: shared.map(target),
    fallback: fallback.map(target),
  });
}

function resolveUpstreamModel(
  optionPath: string,
  id: string,
  model: UpstreamModel,
  server: string,
  serverNames: readonly string[],
): string {
  const { upstreamModel = id } = model;
  if (typeof upstreamModel === 'string') return optionChecks.text(`${optionPath}.upstreamModel`, upstreamModel);
  optionChecks.object(`${optionPath}.upstreamModel`, upstreamModel, serverNames);
  return optionChecks.text(`${optionPath}.upstreamModel['${server}']`, upstreamModel[server] ?? id);
}

/** Creates circuit breakers from options, or returns the given ones. @throws a `TypeError` that names the option. */
export function resolveCircuitBreakers(option: UpstreamOptions['circuitBreaker'] = {}): CircuitBreakers {
  optionChecks.object('circuitBreaker', option);
  return 'circuits' in option ? option : createCircuitBreakers(option);
}
