import type { ProviderMetadata } from './provider-metadata.ts';

/** Options of the conversion to a prompt. */
export interface PromptInit {
  /** Name of the provider. */
  readonly provider: string;
  /** Moves system messages to the start. */
  readonly hasLeadingSystemOnly: boolean;
  /** Finds the provider metadata of the reply with a tool call, for messages without it. */
  readonly findMetadata: (toolCallId: string) => ProviderMetadata | undefined;
}
