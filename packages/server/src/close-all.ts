/** Closes a resource. */
type Close = () => unknown;

/**
 * Runs all steps in order, even if one fails.
 *
 * @throws AggregateError with all errors, after the last step.
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

/** Runs all steps in parallel, and waits for all of them even if some fail. @throws an `AggregateError` with their errors. */
export async function closeInParallel(message: string, steps: readonly Close[]): Promise<void> {
  const results = await Promise.allSettled(steps.map(async (step) => step()));
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, message);
}
