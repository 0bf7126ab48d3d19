/** A problem with the setup that the operator must fix: a missing package, an invalid option, a file that is not a model. */
export class LlamaSetupError extends Error {
  override readonly name = 'LlamaSetupError';
}

/** Runs a step of the setup. @throws LlamaSetupError that names the file, for whatever the step throws. */
export async function orSetupError<Result>(
  { path }: { readonly path: string },
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'no reason was given';
    throw new LlamaSetupError(`The model '${path}' cannot be served: ${why}`, { cause });
  }
}
