import { isRecord } from '@modelwire/adapter-kit';
import type { LiteLLMFile } from './litellm-file.ts';
import { addressWith, liteLLMProvider } from './providers.ts';
import { addProviderModel, noCounterpart, upstreamWith, withoutEmpty } from './translation.ts';
import type { KnownProvider } from '../upstreams/known-providers.ts';
import type { Model, Provider, Translation, Upstream } from './translation.ts';

type Params = LiteLLMFile['model_list'][number]['litellm_params'];

/** A model name that upstreams serve. */
interface Route {
  /** Model IDs by the name of the upstream. */
  readonly upstreamModel: Record<string, string>;
  readonly upstreams: string[];
  readonly fallback: string[];
}

const routings = new Map([
  ['simple-shuffle', 'weighted' as const],
  ['least-busy', 'least-loaded' as const],
]);

const translated: ReadonlySet<string> = new Set([
  ...['model', 'api_base', 'api_key', 'weight'].map((name) => `litellm_params.${name}`),
  ...['input_cost_per_token', 'output_cost_per_token'].map((name) => `litellm_params.${name}`),
  ...['routing_strategy', 'allowed_fails', 'cooldown_time'].map((name) => `router_settings.${name}`),
  ...['model_group_alias', 'fallbacks'].map((name) => `router_settings.${name}`),
  'litellm_settings.fallbacks',
]);

const missingModelHint = 'add an upstream or a provider for it; one without `models` serves all of its models.';

const hints = new Map([
  ['litellm_params.api_version', 'the v1 API of Azure has no versions.'],
  ['general_settings.master_key', 'create a key with `modelwire-server keys create --role admin`.'],
  ['general_settings.database_url', 'set `database` to a PostgreSQL database of its own.'],
  ['litellm_settings.drop_params', 'a parameter that a model lacks is emulated, or a 400 that names it.'],
]);

/** Translates a configuration of LiteLLM: servers become upstreams, hosted APIs become providers, and model names stay. */
export function translateLiteLLM(file: LiteLLMFile): Translation {
  const { model_list: deployments, router_settings: router, litellm_settings: settings } = file;
  const upstreams: Upstream[] = [];
  const providers: Provider[] = [];
  const routes = new Map<string, Route>();
  const notes = untranslatedFields(file);

  for (const { model_name: id, litellm_params: params } of deployments) {
    const [name, model] = split(params.model);
    const provider = liteLLMProvider(name);
    if (provider?.package !== undefined && !id.includes('*')) {
      const { api_base: address } = params;
      const { liteLLMPath: path } = provider;
      if (address !== undefined && path === undefined)
        notes.push(`model_list: ${id}: api_base: set options.baseURL of ${provider.package}, if it needs it.`);
      const fields = {
        package: provider.package,
        ...keyOf(params),
        ...(address !== undefined && path !== undefined && { options: { baseURL: addressWith(address, path) } }),
      };
      addProviderModel(providers, fields, { model, id });
      continue;
    }
    const upstream = provider && upstreamOf(upstreams, name, provider, params);
    if (upstream && !id.includes('*')) {
      const route = routes.get(id) ?? { upstreamModel: {}, upstreams: [], fallback: [] };
      addUpstream(route, route.upstreams, upstream.name, model);
      routes.set(id, route);
    } else {
      notes.push(`model_list: ${id} (${params.model}): ${missingModelHint}`);
    }
  }

  for (const entry of [...(router.fallbacks ?? []), ...(settings.fallbacks ?? [])])
    for (const [id, others] of Object.entries(entry))
      for (const other of others) {
        const [route, target] = [routes.get(id), routes.get(other)];
        if (!route || !target) notes.push(`fallbacks: ${id} to ${other}: fallbacks are upstreams of the same model.`);
        else for (const name of target.upstreams) addUpstream(route, route.fallback, name, target.upstreamModel[name]);
      }

  const routing = routings.get(router.routing_strategy ?? '');
  const models: [string, Model][] = [
    ...Array.from(routes, ([id, { fallback, ...route }]): [string, Model] => {
      const model = { ...route, ...(fallback.length > 0 && { fallback }), ...(routing && { routing }) };
      return [id, model];
    }),
    ...Object.entries(router.model_group_alias ?? {}).map(([alias, model]): [string, Model] => [alias, { model }]),
  ];
  const prices = deployments.flatMap(({ model_name: id, litellm_params: params }) => {
    const { input_cost_per_token: input, output_cost_per_token: output } = params;
    if (input === undefined && output === undefined) return [];
    return [[id, { input: perMillion(input), output: perMillion(output) }] as const];
  });
  const circuitBreaker = {
    ...(router.allowed_fails !== undefined && { failures: Math.max(1, router.allowed_fails) }),
    ...(router.cooldown_time !== undefined && { cooldownMs: Math.round(router.cooldown_time * 1000) }),
  };
  return {
    config: withoutEmpty({
      upstreams,
      models: Object.fromEntries(models),
      providers,
      ...(prices.length > 0 && { prices: { models: Object.fromEntries(prices) } }),
      ...(Object.keys(circuitBreaker).length > 0 && { circuitBreaker }),
    }),
    notes,
  };
}

/** `hosted_vllm/meta-llama/Llama-3.3-70B` is the provider `hosted_vllm`; a name without a slash is a model of OpenAI. */
function split(model: string): readonly [provider: string, model: string] {
  const at = model.indexOf('/');
  return at === -1 ? ['openai', model] : [model.slice(0, at), model.slice(at + 1)];
}

/** The upstream of a deployment, added if it is new; undefined for one whose address is not known. */
function upstreamOf(
  upstreams: Upstream[],
  name: string,
  provider: KnownProvider,
  params: Params,
): Upstream | undefined {
  const { api_base: address } = params;
  const baseURL = address === undefined ? provider.baseURL : addressWith(address, provider.liteLLMPath);
  if (baseURL === undefined) return undefined;
  return upstreamWith(upstreams, {
    name,
    ...(provider.preset && { preset: provider.preset }),
    baseURL,
    ...keyOf(params),
    ...(params.weight !== undefined && { weight: params.weight }),
  });
}

/** `os.environ/NAME` names an environment variable; anything else is the key. */
function keyOf({ api_key: key }: Params): { apiKey?: string; apiKeyEnv?: string } {
  if (key === undefined) return {};
  const prefix = 'os.environ/';
  return key.startsWith(prefix) ? { apiKeyEnv: key.slice(prefix.length) } : { apiKey: key };
}

function addUpstream(route: Route, names: string[], name: string, model = ''): void {
  if (route.upstreams.includes(name) || route.fallback.includes(name)) return;
  names.push(name);
  route.upstreamModel[name] = model;
}

/** Without the digits that binary fractions add. */
function perMillion(costPerToken = 0): number {
  return Number((costPerToken * 1_000_000).toPrecision(12));
}

function untranslatedFields(file: LiteLLMFile): string[] {
  const { model_list: deployments, ...sections } = file;
  const fields = new Set([
    ...deployments.flatMap(({ litellm_params: params }) => Object.keys(params).map((name) => `litellm_params.${name}`)),
    ...Object.entries(sections).flatMap(([section, values]) =>
      isRecord(values) ? Object.keys(values).map((name) => `${section}.${name}`) : [section],
    ),
  ]);
  return [...fields]
    .filter((field) => !translated.has(field))
    .map((field) => `${field}: ${hints.get(field) ?? noCounterpart}`);
}
