/** The error for an optional dependency that is missing. */
export function notInstalled(name: string, cause: unknown): Error {
  const message = `Image moderation needs the package '${name}': npm install --legacy-peer-deps nsfwjs@4.3.0 sharp`;
  return new Error(message, { cause });
}
