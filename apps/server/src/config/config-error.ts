/** An invalid configuration. Programs print the message without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
