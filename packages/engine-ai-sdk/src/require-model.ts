/**
 * Checks that an object is a model of specification v4, which older provider packages do not have.
 *
 * @throws TypeError that names the option.
 */
export function requireModel(
  model: { readonly specificationVersion?: unknown } | undefined,
  option: string,
  example: string,
): void {
  const version = model?.specificationVersion;
  if (version === 'v4') return;
  throw new TypeError(
    typeof version === 'string'
      ? `${option} implements specification ${version} of the AI SDK, not v4. Update its provider package.`
      : `${option} must be a model of an AI SDK provider, such as ${example}.`,
  );
}
