import OpenAI from 'openai';

/** The error of the API that a call of the official client rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof OpenAI.APIError) return thrown;
  throw new Error('not an APIError', { cause: thrown });
}
