const segment = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})+`;
const safe = new RegExp(`^/v1((?:/${segment})+)$`);

/** Percent-encoded characters that need no encoding, and `/ \ %` and control characters: with them, one path has several spellings. */
const ambiguous = /%(?:2[def]|3\d|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef]|25|[01]\d|[01][a-f])/i;

/**
 * The path below `/v1` of a request that may be forwarded, such as `/audio/speech`; undefined for any other. A path is forwarded only if every
 * server interprets it in the same way: without dot segments, empty segments, backslashes, and characters that are encoded needlessly, twice,
 * or as separators.
 */
export function pathBelowVersion(path: string): string | undefined {
  const below = safe.exec(path)?.[1];
  if (below === undefined || ambiguous.test(below)) return undefined;
  return below.split('/').some((part) => part === '.' || part === '..') ? undefined : below;
}

/** Whether a path is one of the server's own, regardless of method and letter case. `{name}` matches one segment. */
export function createPathMatcher(paths: readonly string[]): (path: string) => boolean {
  const patterns = [...new Set(paths)].map((path) => {
    const pattern = path
      .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      // Model IDs may contain slashes.
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? '.+' : '[^/]+'));
    return new RegExp(`^${pattern}$`, 'i');
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
