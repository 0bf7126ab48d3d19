import type { ChatEngine, ChatEvents, ChatRequest, OutputStep } from '@modelwire/ports';
import type { OutputGrammars } from './output-grammars.ts';

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
