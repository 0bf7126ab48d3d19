/** A configuration that cannot be used: said in words to whoever starts the server, without a stack. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
