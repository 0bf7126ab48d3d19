import type { Problem } from '../types/errors.ts';
import type { ChatCompletionCreateParamsBase } from '../types/requests.ts';

/** A rule between fields: what it is called, the interface's section, and the first thing that breaks it. */
export interface ChatRule {
  readonly name: string;
  readonly section: string;
  readonly check: (request: ChatCompletionCreateParamsBase) => Problem | undefined;
}
