import { isRecord } from '@modelwire/adapter-kit';
import { ConfigError } from '../config/config-error.ts';
import type { PortkeyFile } from './portkey-file.ts';
import { addressWith, portkeyProvider, portkeyProviderNames } from './providers.ts';
import { addProviderModel, addUpstream, noCounterpart, upstreamWith, withoutEmpty } from './translation.ts';
import type { KnownProvider } from '../upstreams/known-providers.ts';
import type { Model, Provider, Translation, Upstream } from './translation.ts';

/** A provider that requests are sent to, with the settings that it inherits. */
interface Target {
  /** Such as `targets[0].targets[1]`; empty for the whole config. */
  readonly place: string;
  readonly settings: PortkeyFile;
  readonly weight: number;
}

/** The targets that share the requests of a model, and those that are tried after them. */
interface Route {
  readonly targets: readonly Target[];
  readonly fallback: readonly Target[];
}

/** The words with which slugs of a provider start, where they are not its name alone. */
const slugPrefixes: Readonly<Record<string, readonly string[]>> = {
  'azure-openai': ['azure-openai', 'azure'],
  'fireworks-ai': ['fireworks-ai', 'fireworks'],
  'mistral-ai': ['mistral-ai', 'mistral'],
  openai: ['openai', 'open-ai'],
  'perplexity-ai': ['perplexity-ai', 'perplexity'],
  'together-ai': ['together-ai', 'together'],
  'vertex-ai': ['vertex-ai', 'vertex'],
};

/** Options of the packages by the fields of Portkey. */
const packageOptions: Readonly<Record<string, string>> = {
  aws_access_key_id: 'accessKeyId',
  aws_region: 'region',
  aws_secret_access_key: 'secretAccessKey',
  aws_session_token: 'sessionToken',
  vertex_project_id: 'project',
  vertex_region: 'location',
};

const moderationHint = 'checks are not run; for moderation, set `moderate`.';

/** Why fields have no counterpart. */
const reasons: Readonly<Record<string, string>> = {
  cache: 'replies are not cached; with `routing: affinity`, upstreams can reuse their prompt caches.',
  retry: 'a request is sent once to each of up to three upstreams of its model.',
  on_status_codes: 'the kind of failure decides whether the next upstream is tried.',
  forward_headers: 'headers of clients are not forwarded; `headers` of the upstream are fixed ones.',
  input_guardrails: moderationHint,
  output_guardrails: moderationHint,
  before_request_hooks: moderationHint,
  after_request_hooks: moderationHint,
  strict_open_ai_compliance: 'replies always have the fields of the API.',
};

const translatedFields: ReadonlySet<string> = new Set([
  ...['name', 'weight', 'provider', 'virtual_key', 'api_key', 'override_params', 'strategy', 'targets', 'api_version'],
  ...['openai_organization', 'openai_project', 'resource_name', 'deployment_id', 'azure_model_name'],
  ...['custom_host', 'request_timeout'],
  ...Object.keys(packageOptions),
]);

/**
 * Translates a config of Portkey: providers become upstreams, and strategies become models with the IDs that clients request. `ids` are those of
 * the command; without them, conditions and `override_params` name the models.
 *
 * @throws ConfigError if IDs are needed, or if a virtual key does not name its provider.
 */
export function translatePortkey(file: PortkeyFile, ids: readonly string[]): Translation {
  const upstreams: Upstream[] = [];
  const providers: Provider[] = [];
  const models = new Map<string, Model>();
  /** The IDs that have a route. */
  const routed = new Set<string>();
  const notes = untranslatedFields(file, '');

  function addModel(id: string | undefined, route: Route): void {
    const [first, ...others] = [...route.targets, ...route.fallback];
    if (!first) return;
    if (id !== undefined) routed.add(id);
    const host = hostOf(first);
    if (others.length === 0 && host.package !== undefined) addOwnModel(id, first, host.package);
    else addUpstreamModel(id, route);
  }

  /** Adds a model of the provider's own API. */
  function addOwnModel(id: string | undefined, target: Target, name: string): void {
    const model = modelOf(target) ?? id;
    if (model === undefined) throw new ConfigError(missingIDs);
    const options = Object.entries({ custom_host: 'baseURL', ...packageOptions }).flatMap(([field, option]) => {
      const value = target.settings[field];
      return typeof value === 'string' ? [[option, value] as const] : [];
    });
    const fields = {
      package: name,
      ...keyOf(target),
      ...(options.length > 0 && { options: Object.fromEntries(options) }),
    };
    addProviderModel(providers, fields, { model, id: id ?? model });
  }

  function addUpstreamModel(id: string | undefined, route: Route): void {
    const upstreamModel: Record<string, string> = {};
    const add = (target: Target): string[] => {
      const fields = upstreamOf(target, route);
      if (!fields) return [];
      // One upstream has one ID for a model: the same server with another one is another upstream.
      const known = upstreamWith(upstreams, fields);
      const model = modelOf(target) ?? id ?? '';
      if (upstreamModel[known.name] === model) return [];
      const upstream = known.name in upstreamModel ? addUpstream(upstreams, fields) : known;
      upstreamModel[upstream.name] = model;
      return [upstream.name];
    };
    const names = route.targets.flatMap(add);
    const fallback = route.fallback.flatMap(add);
    if (id === undefined) {
      if (names.length + fallback.length > 1) throw new ConfigError(missingIDs);
      return;
    }
    const [first, ...others] = [...names, ...fallback];
    if (first === undefined) return;
    models.set(id, {
      ...(Object.values(upstreamModel).some((model) => model !== id) && { upstreamModel }),
      upstreams: names.length > 0 ? names : [first],
      ...(names.length > 0 ? fallback.length > 0 && { fallback } : others.length > 0 && { fallback: others }),
      ...(names.length > 1 && { routing: 'weighted' }),
    });
  }

  function upstreamOf(target: Target, route: Route): Upstream | undefined {
    const { place, settings } = target;
    const host = hostOf(target);
    const baseURL = baseURLOf(target, host);
    if (baseURL === undefined) {
      notes.push(
        `${placeOf(place)}: ${nameOf(target)} has no known OpenAI-compatible API: add an upstream with its base URL.`,
      );
      return undefined;
    }
    if (host.package !== undefined)
      notes.push(
        `${placeOf(place)}: its OpenAI-compatible API is used, because models with several targets are those of upstreams; ${host.package} in \`providers\` supports more.`,
      );
    const { openai_organization: organization, openai_project: project, request_timeout: timeout } = settings;
    const headers = {
      ...(organization !== undefined && { 'OpenAI-Organization': organization }),
      ...(project !== undefined && { 'OpenAI-Project': project }),
    };
    const sharesByWeight = new Set(route.targets.map(({ weight }) => weight)).size > 1;
    return {
      name: nameOf(target),
      ...(host.preset && { preset: host.preset }),
      baseURL,
      ...keyOf(target),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(sharesByWeight && route.targets.includes(target) && { weight: target.weight }),
      ...(timeout !== undefined && { timeouts: { firstByte: timeout } }),
    };
  }

  /** The route of a target, whose nested strategies become the order of its upstreams. */
  function routeOf(target: PortkeyFile, inherited: PortkeyFile, place: string): Route {
    const settings = withInherited(target, inherited);
    const { strategy, targets } = target;
    if (!strategy || !targets) return { targets: [{ place, settings, weight: 1 }], fallback: [] };
    const routes = targets.map((each, index) => routeOf(each, settings, `${place}${place && '.'}targets[${index}]`));
    const [first = { targets: [], fallback: [] }, ...others] = routes;
    switch (strategy.mode) {
      case 'loadbalance':
        return {
          targets: routes.flatMap((route, index) => weighted(route.targets, targets[index]?.weight ?? 1)),
          fallback: routes.flatMap(({ fallback }) => fallback),
        };
      case 'fallback':
        if (others.some((route) => route.targets.length > 1))
          notes.push(`${placeOf(place)}: targets that share requests in a fallback are tried in their order.`);
        return {
          targets: first.targets,
          fallback: [...first.fallback, ...others.flatMap((route) => [...route.targets, ...route.fallback])],
        };
      case 'conditional':
        notes.push(`${placeOf(place)}: conditions within another strategy are not translated: its default is used.`);
        return routes[targets.findIndex(({ name }) => name === strategy.default)] ?? first;
      case 'single':
        return first;
    }
  }

  /** Adds the models that conditions on `params.model` name, and the target of all others. */
  function addConditional(strategy: NonNullable<PortkeyFile['strategy']>, targets: readonly PortkeyFile[]): void {
    const routeTo = (name: string) => {
      const index = targets.findIndex((target) => target.name === name);
      return routeOf(targets[index] ?? {}, file, `targets[${index}]`);
    };
    for (const [index, { query, then }] of (strategy.conditions ?? []).entries()) {
      const named = modelsOfQuery(query);
      if (!named) {
        const fields = Object.keys(query).join(' and ');
        notes.push(
          `strategy.conditions[${index}]: only the model can choose a target, not ${fields}. Give ${then} a model ID of its own, and let clients request it.`,
        );
      }
      // The first condition that holds chooses the target.
      for (const id of named ?? []) if (!routed.has(id)) addModel(id, routeTo(then));
    }
    if (strategy.default === undefined) return;
    addDefault(routeTo(strategy.default), strategy.default);
  }

  /** `name`: of the default target of a strategy, without which IDs the config is still useful. */
  function addDefault(route: Route, name?: string): void {
    const [first] = route.targets;
    const model = first && modelOf(first);
    if (ids.length > 0) {
      for (const id of ids) if (!routed.has(id)) addModel(id, route);
    } else if (name !== undefined && model === undefined) {
      notes.push(`strategy.default: name the models that ${name} serves with --model.`);
    } else {
      // A condition may have given the ID to another target.
      const id = model !== undefined && routed.has(model) ? name : model;
      addModel(id, route);
      // The model that the client requests is replaced, whatever it is.
      if (id !== undefined) models.set('*', { model: id });
    }
  }

  if (file.strategy?.mode === 'conditional' && file.targets) addConditional(file.strategy, file.targets);
  else addDefault(routeOf(file, {}, ''));
  return {
    config: withoutEmpty({ upstreams, models: Object.fromEntries(models), providers }),
    notes: [...new Set(notes)],
  };
}

const missingIDs =
  'The config does not say which models clients request: name each of them with --model, such as --model gpt-4o.';

function withInherited(target: PortkeyFile, inherited: PortkeyFile): PortkeyFile {
  const { custom_host, request_timeout } = inherited;
  return {
    ...(custom_host !== undefined && { custom_host }),
    ...(request_timeout !== undefined && { request_timeout }),
    ...target,
    override_params: { ...inherited.override_params, ...target.override_params },
  };
}

/** Divides a weight among targets that share requests. */
function weighted(targets: readonly Target[], weight: number): Target[] {
  const sum = targets.reduce((total, target) => total + target.weight, 0);
  return targets.map((target) => ({ ...target, weight: sum === 0 ? 0 : (weight * target.weight) / sum }));
}

/** The IDs of a condition on the model alone; undefined for any other. */
function modelsOfQuery(query: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const entries = Object.entries(query);
  const [field, value] = entries[0] ?? [];
  if (entries.length !== 1 || field !== 'params.model') return undefined;
  if (typeof value === 'string') return [value];
  if (!isRecord(value)) return undefined;
  const [[operator, operand] = [], ...others] = Object.entries(value);
  if (others.length > 0) return undefined;
  if (operator === '$eq' && typeof operand === 'string') return [operand];
  if (operator !== '$in' || !Array.isArray(operand)) return undefined;
  return operand.every((each) => typeof each === 'string') ? operand : undefined;
}

/** The model at the provider that replaces that of the client. `@slug/model` also names the integration. */
function modelOf({ settings }: Target): string | undefined {
  return settings.deployment_id ?? settings.override_params?.model?.replace(/^@[^/]+\//, '');
}

/** The slug of an integration, or a virtual key. */
function slugOf({ settings }: Target): string | undefined {
  const slug = /^@([^/]+)/;
  const named = slug.exec(settings.provider ?? '') ?? slug.exec(settings.override_params?.model ?? '');
  return named?.[1] ?? settings.virtual_key;
}

/** The name of the provider. @throws ConfigError if only a virtual key could name it and does not. */
function nameOf(target: Target): string {
  const { place, settings } = target;
  const { provider } = settings;
  if (provider !== undefined && !provider.startsWith('@')) return provider;
  const slug = slugOf(target) ?? '';
  const known = portkeyProviderNames.find((name) =>
    (slugPrefixes[name] ?? [name]).some((prefix) => slug === prefix || slug.startsWith(`${prefix}-`)),
  );
  if (known !== undefined) return known;
  throw new ConfigError(
    `${place}${place && '.'}${provider === undefined ? 'virtual_key' : 'provider'}: '${slug}' does not start with the name of its provider. ` +
      `Set the provider beside the key, such as { "provider": "openai", "virtual_key": "${slug}" }.`,
  );
}

function hostOf(target: Target): KnownProvider {
  return portkeyProvider(nameOf(target)) ?? {};
}

function baseURLOf({ settings }: Target, host: KnownProvider): string | undefined {
  const { custom_host: address, resource_name: resource } = settings;
  // A host that was set for the provider has the provider's own API.
  if (address !== undefined) return host.package === undefined ? addressWith(address, host.portkeyPath) : undefined;
  return resource === undefined ? host.baseURL : `https://${resource}.openai.azure.com/openai/v1`;
}

/** The key itself, or the environment variable for one that only Portkey knows. */
function keyOf(target: Target): { apiKey?: string; apiKeyEnv?: string } {
  const slug = slugOf(target);
  if (slug !== undefined) return { apiKeyEnv: `${slug.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_KEY` };
  return target.settings.api_key === undefined ? {} : { apiKey: target.settings.api_key };
}

function untranslatedFields(target: PortkeyFile, place: string): string[] {
  const at = (field: string) => `${place}${place && '.'}${field}`;
  const { strategy, targets = [], override_params: overrides = {}, ...fields } = target;
  const names = Object.keys(fields).filter((name) => !translatedFields.has(name));
  const extra = Object.keys(strategy ?? {}).filter((name) => !['mode', 'conditions', 'default'].includes(name));
  return [
    ...names.map((name) => `${at(name)}: ${reasons[name] ?? noCounterpart}`),
    ...extra.map((name) => `${at(`strategy.${name}`)}: ${reasons[name] ?? noCounterpart}`),
    ...Object.keys(overrides)
      .filter((name) => name !== 'model')
      .map((name) => `${at(`override_params.${name}`)}: parameters of clients are not overridden.`),
    ...targets.flatMap((each, index) => untranslatedFields(each, at(`targets[${index}]`))),
  ];
}

function placeOf(place: string): string {
  return place === '' ? 'config' : place;
}
