import type { Settings } from './settings.ts';

/** IDs of the embedded models. */
const embeddedModels: ReadonlySet<string> = new Set(['simulator', 'simulator-embedding']);

/**
 * Whether to serve the embedded model, and its options. By default it is not served beside upstreams and providers, where it would be listed among real
 * models, unless an alias or the default model names it.
 */
export function simulatorSetting({
  simulator,
  upstreams,
  providers,
  models = {},
  defaultModel,
}: Pick<Settings, 'simulator' | 'upstreams' | 'providers' | 'models' | 'defaultModel'>): NonNullable<
  Settings['simulator']
> {
  if (simulator !== undefined) return simulator;
  if (upstreams === undefined && providers === undefined) return true;
  const named = [defaultModel, ...Object.values(models).map((entry) => ('model' in entry ? entry.model : undefined))];
  return named.some((model) => model !== undefined && embeddedModels.has(model));
}
