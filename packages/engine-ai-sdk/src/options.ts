import type { LanguageModelV4, SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { CapabilitiesInit } from '@modelwire/ports';

/** Options of every engine. */
export interface EngineOptions {
  /** Name in logs. Default: `ai-sdk`. */
  readonly name?: string;
  /** Texts that error messages must not contain, such as API keys: replaced by `[redacted]`. Undefined and empty ones are ignored. */
  readonly secrets?: readonly (string | undefined)[];
  /**
   * Called with each warning of a provider that does not affect the result (`compatibility`, `deprecated`, `other`). Dropped parameters are not
   * warnings: such requests get a 400.
   */
  readonly onWarning?: (model: string, warning: SharedV4Warning) => void;
}

/** Options of every model. */
export interface ModelOptions {
  /** Id in requests. Default: `model.modelId`. */
  readonly id?: string;
  /** `owned_by` in `GET /v1/models`. Default: the first part of `model.provider`, such as `anthropic`. */
  readonly owned_by?: string;
  /** `created` in `GET /v1/models`, in Unix seconds. Default: the start of the engine. */
  readonly created?: number;
  /** Provider options of every call, such as `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`. */
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** What `createAiSdk` takes. */
export interface AiSdkOptions extends EngineOptions {
  /** Chat models; at least one. */
  readonly models: readonly AiSdkModelOptions[];
}

/** One chat model. */
export interface AiSdkModelOptions extends ModelOptions {
  /** The model of the AI SDK, such as `createAnthropic({ apiKey })('claude-sonnet-4-5')`. It implements specification version `v4`. */
  readonly model: LanguageModelV4;
  /** Capabilities that differ from the known ones of the provider. */
  readonly capabilities?: CapabilitiesInit;
}
