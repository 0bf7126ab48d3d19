/** Workers that do not respond within this time are left out: lookups of keys are cached no longer than that. */
export const callTimeoutMs = 2000;

/** @throws an Error when it takes too long. */
export async function withTimeout<Result>(result: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The worker did not respond in time.')), callTimeoutMs);
  try {
    return await Promise.race([result, promise]);
  } finally {
    clearTimeout(timer);
  }
}
