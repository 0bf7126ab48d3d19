/** The first `code` in the chain of causes. Connecting to a name with several addresses gives an AggregateError. */
export function systemErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  const inner: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown.cause];
  return inner.map(systemErrorCode).find((code) => code !== undefined);
}
