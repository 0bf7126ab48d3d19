/** A provider package that is missing or cannot be used. The message is addressed to the operator. */
export class ProviderSetupError extends Error {
  override readonly name = 'ProviderSetupError';
}
