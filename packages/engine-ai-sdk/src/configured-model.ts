import { providerName, modelCapabilities, profileOf } from './provider-profile.ts';
import { requireModel } from './require-model.ts';
import type { ProviderProfile } from './provider-profile.ts';
import type { AiSdkModelOptions, AiSdkOptions } from './options.ts';
import type { ChatModel } from '@modelwire/ports';
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';

/** A model with everything that a call needs. */
export interface ConfiguredModel {
  readonly chatModel: ChatModel;
  readonly model: LanguageModelV4;
  readonly profile: ProviderProfile;
  readonly providerOptions: SharedV4ProviderOptions | undefined;
}

/** @throws TypeError that names the option. */
export function configuredModels({ models }: AiSdkOptions, now: number): ReadonlyMap<string, ConfiguredModel> {
  const unchecked: unknown = models;
  if (!Array.isArray(unchecked) || unchecked.length === 0) {
    throw new TypeError('createAiSdk: models must be a non-empty array of models.');
  }
  const configured = new Map<string, ConfiguredModel>();
  for (const [index, options] of models.entries()) {
    const entry = configuredModel(options, `models[${index}]`, now);
    const { id } = entry.chatModel;
    if (configured.has(id)) throw new TypeError(`createAiSdk: models[${index}].id '${id}' is used twice.`);
    configured.set(id, entry);
  }
  return configured;
}

function configuredModel(options: AiSdkModelOptions, path: string, now: number): ConfiguredModel {
  const { model, providerOptions } = options;
  requireModel(model, `createAiSdk: ${path}.model`, "anthropic('claude-sonnet-4-5')");
  const { id = model.modelId, created = now, owned_by = providerName(model.provider) } = options;
  if (id === '') throw new TypeError(`createAiSdk: ${path}.id must not be empty.`);
  const profile = profileOf(model.provider);
  const capabilities = modelCapabilities(profile, options.capabilities);
  return { chatModel: Object.freeze({ id, created, owned_by, capabilities }), model, profile, providerOptions };
}
