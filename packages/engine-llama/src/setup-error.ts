/** A problem with the setup that the operator must fix: a missing package, an invalid option, a file that is not a model. */
export class LlamaSetupError extends Error {
  override readonly name = 'LlamaSetupError';
}
