import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { ChatModel } from '@modelwire/ports';
import type { Call } from '../call.ts';

/** The context for loading the inputs of a request. */
export interface InputContext {
  readonly call: Pick<Call<ChatCompletionCreateParams>, 'body' | 'client' | 'principal'>;
  readonly server: ServerContext;
  readonly model: ChatModel;
  /** Reserves memory. @throws a 503 if there is not enough. */
  readonly reserveMemory: (bytes: number) => void;
}
