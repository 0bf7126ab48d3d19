import type { ChatEngine, ChatEvents, ChatRequest, OutputStep } from '@modelwire/ports';
import type { OutputGrammars } from './output-grammars.ts';
import type { Prefill } from '../models/prefill.ts';

export interface GuaranteeOptions {
  readonly request: ChatRequest;
  readonly grammars: OutputGrammars;
  readonly generate: (request: ChatRequest) => ChatEvents;
  readonly engine: ChatEngine;
  /** Whether the client receives the reply as it is generated. */
  readonly isStreamed: boolean;
  readonly maxAttempts: number;
  readonly prefill: Prefill;
  readonly onStep: (step: OutputStep) => void;
  readonly onAttempt: () => void;
}
