import type { ChatEngine, ChatEvents, ChatRequest } from '@modelwire/ports';
import type { OutputGrammars } from './output-grammars.ts';

/** How a reply became valid, or that it did not. */
export type OutputStep = 'cleaned' | 'closed' | 'continued' | 'repeated' | 'failed';

export interface GuaranteeOptions {
  readonly request: ChatRequest;
  readonly grammars: OutputGrammars;
  readonly generate: (request: ChatRequest) => ChatEvents;
  readonly engine: ChatEngine;
  /** Whether the client receives the reply as it is generated. */
  readonly isStreamed: boolean;
  readonly maxAttempts: number;
  /** Whether the engine continues an assistant message at the end of a prompt. */
  readonly canPrefill: boolean;
  readonly onStep: (step: OutputStep) => void;
  readonly onAttempt: () => void;
}
