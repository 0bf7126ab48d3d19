import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { ChatModel } from '@modelwire/ports';
import type { Call } from '../call.ts';

/** What it takes to put the inputs of a request in place. */
export interface InputContext {
  readonly call: Pick<Call<ChatCompletionCreateParams>, 'body' | 'client' | 'principal'>;
  readonly server: ServerContext;
  readonly model: ChatModel;
  /** Takes room for bytes that come into memory. @throws a 503 when there is none. */
  readonly reserveMemory: (bytes: number) => void;
}
