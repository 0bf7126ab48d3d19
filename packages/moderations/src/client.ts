import { createTransport } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions } from '@modelwire/core';
import { createModeration } from '@modelwire/schema/routes';
import type { Moderation, ModerationCreateParams } from '@modelwire/schema/types';
import { moderateMany } from './many.ts';
import type { ModeratedInput, ModerateManyOptions, ModerationInput } from './many.ts';

/** Options of a transport, or a transport that is shared with other clients. */
export type ModerationsOptions = ClientOptions;

/** Every method rejects only with a `ModelwireError`. */
export interface ModerationsClient {
  /** Classifies an input (API: Create moderation): one result, or one for each string of an array. */
  create(params: ModerationCreateParams, options?: CallOptions): ApiPromise<Moderation>;
  /**
   * Classifies any number of inputs, with several texts in a request and several requests in parallel, and yields the results in the
   * order of the inputs. Reads inputs no faster than results are consumed. Leaving the loop aborts the pending requests.
   */
  createMany<I extends ModerationInput>(
    inputs: Iterable<I> | AsyncIterable<I>,
    options?: ModerateManyOptions,
  ): AsyncGenerator<ModeratedInput<I>, void, undefined>;
}

/** Creates a client for moderation. Throws an `InputError` for an invalid base URL. */
export function createModerations(options: ModerationsOptions = {}): ModerationsClient {
  const transport = createTransport(options);
  const create: ModerationsClient['create'] = (body, options) =>
    transport.request(createModeration, { ...options, body });
  return { create, createMany: (inputs, options) => moderateMany(create, inputs, options) };
}
