/** Whether a content type is JSON: `application/json`, or a type that ends with `+json`, with any parameters. */
export function isJsonType(contentType: string | null | undefined): boolean {
  if (contentType === 'application/json') return true;
  return /^\s*application\/(?:[^\s;]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}
