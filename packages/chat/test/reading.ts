import { isModelwireError } from '../src/index.ts';
import type { ChatStream, ModelwireError } from '../src/index.ts';

export { collect } from '@modelwire/core/testing';

/** The error that a call rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ModelwireError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isModelwireError(error)) throw new Error('no ModelwireError', { cause: error });
  return error;
}

/** Iterates until something is thrown. */
export async function readUntilError(stream: ChatStream): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = [];
  try {
    for await (const event of stream) if (event.type === 'content.delta') texts.push(event.delta);
  } catch (error) {
    return { texts, error };
  }
  return { texts, error: undefined };
}
