import { DecodeError, InputError, sleep } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import type {
  Moderation,
  ModerationCreateParams,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
} from '@modelwire/schema/types';

/** An input with one result: a text, or an array of parts. */
export type ModerationInput = string | readonly ModerationMultiModalInput[];

export interface ModerateManyOptions extends Omit<CallOptions, 'idempotencyKey'> {
  readonly model?: ModerationModel | undefined;
  /** The maximum number of texts of a request. Default 32. */
  readonly batchSize?: number | undefined;
  /** The maximum number of characters of a request with several texts. Default 262,144. */
  readonly batchLength?: number | undefined;
  /** The maximum number of concurrent requests. Default 4. */
  readonly concurrency?: number | undefined;
  /** How long a text waits for others to share its request where inputs arrive slowly, in milliseconds. Default 10. */
  readonly lingerMs?: number | undefined;
}

/** An input with its result. */
export interface ModeratedInput<I extends ModerationInput = ModerationInput> {
  /** Position of the input, from 0. */
  readonly index: number;
  readonly input: I;
  readonly result: ModerationResult;
  /** Id and model of the response that contains it. */
  readonly id: string;
  readonly model: string;
}

/** See `ModerationsClient.createMany`. */
export async function* moderateMany<I extends ModerationInput>(
  create: (params: ModerationCreateParams, options?: CallOptions) => ApiPromise<Moderation>,
  inputs: Iterable<I> | AsyncIterable<I>,
  options: ModerateManyOptions = {},
): AsyncGenerator<ModeratedInput<I>, void, undefined> {
  const { model, batchSize = 32, batchLength = 262_144, concurrency = 4, lingerMs = 10, signal, ...rest } = options;
  if (typeof inputs === 'string')
    throw new InputError('createMany() takes an iterable of inputs. Use create() for one text.', { param: 'inputs' });
  for (const [param, value] of Object.entries({ batchSize, concurrency })) {
    if (!(value >= 1)) throw new InputError(`${param} must be at least 1.`, { param });
  }
  const iterator = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  // Linked manually, since AbortSignal.any leaks.
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort);
  const call: CallOptions = { ...rest, signal: controller.signal };

  /** Pending results, in the order of their inputs. */
  const pendingResults: Promise<ModeratedInput<I>[]>[] = [];
  let group: I[] = [];
  let length = 0;
  let index = 0;
  // In an object: the compiler treats a variable that only a function sets as constant.
  const source = { hasEnded: false };
  let pendingInput: Promise<IteratorResult<I, unknown>> | undefined;
  let linger: Promise<void> | undefined;

  try {
    for (;;) {
      while (!source.hasEnded && pendingResults.length < concurrency) {
        pendingInput ??= pull();
        const [head] = pendingResults;
        const events = [
          pendingInput.then(
            () => 'input',
            () => 'input',
          ),
          ...(head === undefined ? [] : [settled(head)]),
        ];
        if (linger !== undefined) events.push(linger.then(() => 'linger'));
        const first = await Promise.race(events);
        if (first === 'result') break;
        if (first === 'linger') send();
        else take(await pendingInput);
      }
      const head = pendingResults.shift();
      if (head !== undefined) yield* await head;
      else if (source.hasEnded) return;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
    // Not awaited: a source that waits for its next input would block the caller.
    if (!source.hasEnded) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }

  function pull(): Promise<IteratorResult<I, unknown>> {
    const next = Promise.resolve(iterator.next());
    next.catch(() => undefined);
    return next;
  }

  function take(next: IteratorResult<I, unknown>): void {
    const input = next.done === true ? undefined : next.value;
    const size = typeof input === 'string' ? input.length : Infinity;
    // An input that does not fit goes into the next request.
    if (group.length > 0 && length + size > batchLength) {
      send();
      if (input !== undefined) return;
    }
    pendingInput = undefined;
    if (input === undefined) {
      source.hasEnded = true;
      return;
    }
    group.push(input);
    length += size;
    if (group.length >= batchSize || length >= batchLength) send();
    else linger ??= sleep(lingerMs, controller.signal).catch(() => undefined);
  }

  /** Sends the group and starts a new one. */
  function send(): void {
    const inputs = group;
    const start = index;
    const [only] = inputs;
    const input = (inputs.length === 1 ? only : inputs) as ModerationCreateParams['input'];
    const response = create({ input, ...(model !== undefined && { model }) }, call).then(({ id, model, results }) => {
      if (results.length !== inputs.length) {
        throw new DecodeError(`The server returned ${results.length} results for ${inputs.length} inputs.`);
      }
      return results.map((result, at) => ({ index: start + at, input: inputs[at] as I, result, id, model }));
    });
    // Thrown in the order of the inputs.
    response.catch(() => undefined);
    pendingResults.push(response);
    index += inputs.length;
    group = [];
    length = 0;
    linger = undefined;
  }
}

function settled(promise: Promise<unknown>): Promise<'result'> {
  return promise.then(
    () => 'result',
    () => 'result',
  );
}
