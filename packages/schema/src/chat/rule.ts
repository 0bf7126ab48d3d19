import type { Problem } from '../types/parts.ts';
import type { ChatCompletionCreateParamsBase } from '../types/requests.ts';

/** A rule between fields: its name, its section in the API, and a function that returns the first problem. */
export interface ChatRule {
  readonly name: string;
  readonly section: string;
  readonly check: (request: ChatCompletionCreateParamsBase) => Problem | undefined;
}
