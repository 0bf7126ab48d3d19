/** Thrown for a problem that the operator must fix: a missing package, an invalid option, or an unsupported model file. */
export class LlamaSetupError extends Error {
  override readonly name = 'LlamaSetupError';
}

/** Runs a step of the setup. @throws LlamaSetupError that names the file if the step throws any error. */
export async function withSetupErrors<Result>(
  { path }: { readonly path: string },
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LlamaSetupError(`The model '${path}' cannot be served: ${reason}`, { cause });
  }
}
