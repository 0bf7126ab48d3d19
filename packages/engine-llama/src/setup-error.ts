/** Something that whoever starts the engine has to mend: a missing package, a wrong option, a file that is no model. */
export class LlamaSetupError extends Error {
  override readonly name = 'LlamaSetupError';
}
