/** Closes one thing. */
type Close = () => unknown;

/**
 * Runs every step in order, also after one failed.
 *
 * @throws AggregateError with what the steps threw, when the last has ended.
 */
export async function closeAll(message: string, steps: readonly Close[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}

/** The same, with all steps at once. */
export async function closeTogether(message: string, steps: readonly Close[]): Promise<void> {
  const results = await Promise.allSettled(steps.map(async (step) => step()));
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, message);
}
