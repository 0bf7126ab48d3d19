/**
 * Closes one thing after the other, also after one failed.
 *
 * @throws AggregateError with what went wrong, when the last is closed.
 */
export async function closeEach(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${steps.length} could not be closed`);
}
