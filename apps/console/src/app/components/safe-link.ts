const safeProtocols = ['http:', 'https:', 'mailto:'];

/** The absolute URL of a link in generated text; `undefined` if it is relative or its protocol could run a script. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return safeProtocols.includes(url.protocol) ? url.href : undefined;
}
