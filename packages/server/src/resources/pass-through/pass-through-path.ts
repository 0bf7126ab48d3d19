const segment = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})+`;
const safe = new RegExp(`^/v1((?:/${segment})+)$`);

/** Percent-encoded characters that need no encoding, and `/ \ %` and control characters: with them, one path has several spellings. */
const ambiguous = /%(?:2[def]|3\d|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef]|25|[01]\d|[01][a-f])/i;

/**
 * The path below `/v1` of a request that may be forwarded, such as `/audio/speech`; undefined for any other. A path is forwarded only if every
 * server interprets it in the same way: without dot segments, empty segments, parameters (`;`), backslashes, and characters that are encoded
 * needlessly, twice, or as separators.
 */
export function pathBelowVersion(path: string): string | undefined {
  const below = safe.exec(path)?.[1];
  if (below === undefined || ambiguous.test(below)) return undefined;
  return below.split('/').every(isPlainSegment) ? below : undefined;
}

/**
 * Whether a segment is the same for every server: some remove parameters after a semicolon or spaces at its end, or decode characters that
 * are not valid UTF-8 or look like dots and slashes.
 */
function isPlainSegment(segment: string): boolean {
  let text: string;
  try {
    text = decodeURIComponent(segment).normalize('NFKC');
  } catch {
    return false;
  }
  return !/[;/\\#?%]/.test(text) && !/^[.\s]+$/.test(text) && text.trim() === text;
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
  return (path) => {
    // Windows removes dots at the end of names.
    const withoutDots = path.replaceAll(/\.+(?=\/|$)/g, '');
    return patterns.some((pattern) => pattern.test(path) || pattern.test(withoutDots));
  };
}
