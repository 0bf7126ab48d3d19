/**
 * Reads the one-time code from a URL such as `/console#code=…` and removes it from the URL, so that neither the history nor a copied
 * link contains it.
 */
export function takeOneTimeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null || code === '') return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}
