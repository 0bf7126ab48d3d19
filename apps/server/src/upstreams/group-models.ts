import { modelKind } from '@modelwire/engine-upstream/internal';
import type { UpstreamModel, UpstreamServer } from '@modelwire/engine-upstream';
import type { ModelKind } from '@modelwire/engine-upstream/internal';
import type { CapabilitiesInit, PassThroughModel } from '@modelwire/ports';
import type { ListedModel } from './model-list.ts';

const inputKinds = ['text', 'image', 'audio', 'file'] as const;

/** The models of several upstreams by their IDs. */
export interface GroupedModels {
  /** For chat and for embeddings. Sorted by ID, so that a different order of an upstream's list does not count as a change. */
  readonly models: Readonly<Record<string, UpstreamModel>>;
  /** The kind of each model. */
  readonly kinds: Readonly<Record<string, ModelKind>>;
  /** Names of the upstreams that serve each model. */
  readonly upstreamsByModel: ReadonlyMap<string, readonly string[]>;
  /** Models that can only be used at pass-through paths. */
  readonly otherModels: readonly PassThroughModel[];
}

/** Kinds whose paths are never passed through: upstream models of these kinds are not listed. */
const hiddenKinds: ReadonlySet<ModelKind> = new Set(['moderation', 'video']);

interface GroupedUpstream extends Pick<UpstreamServer, 'dialect'> {
  readonly name: string;
  readonly capabilities?: CapabilitiesInit | undefined;
}

/**
 * Groups the models that upstreams list. A model that several upstreams list is of the kind that it has at the first of them, and is served
 * by those where it has the same kind and dialect.
 */
export function groupModels(
  upstreams: readonly GroupedUpstream[],
  listed: ReadonlyMap<string, ReadonlyMap<string, ListedModel>>,
): GroupedModels {
  const kinds = new Map<string, ModelKind>();
  const upstreamsByModel = new Map<string, string[]>();
  const models = new Map<string, UpstreamModel>();
  const otherModels: PassThroughModel[] = [];
  const dialects = new Map<string, UpstreamServer['dialect']>();
  for (const { name, capabilities, dialect } of upstreams) {
    for (const [id, model] of listed.get(name) ?? []) {
      const kind = modelKind(model);
      if (dialect && kind !== 'chat') continue;
      const namesOfModel = upstreamsByModel.get(id);
      if (namesOfModel) {
        if (kinds.get(id) === kind && dialects.get(id) === dialect) namesOfModel.push(name);
        continue;
      }
      const names = [name];
      kinds.set(id, kind);
      dialects.set(id, dialect);
      upstreamsByModel.set(id, names);
      const { owned_by = name, created = 0 } = model;
      if (kind === 'chat' || kind === 'embedding') {
        const modelCapabilities = capabilitiesOf(model, capabilities);
        models.set(id, { upstreams: names, owned_by, ...(modelCapabilities && { capabilities: modelCapabilities }) });
      } else if (!hiddenKinds.has(kind)) otherModels.push({ id, created, owned_by });
    }
  }
  return {
    models: Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1))),
    kinds: Object.fromEntries(kinds),
    upstreamsByModel,
    otherModels,
  };
}

function capabilitiesOf(
  { architecture }: ListedModel,
  configured: CapabilitiesInit | undefined,
): CapabilitiesInit | undefined {
  const inputs = inputKinds.filter((kind) => architecture?.input_modalities?.includes(kind));
  return inputs.includes('text') ? { inputs, ...configured } : configured;
}
