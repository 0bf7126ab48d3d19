// The few elements of S3 responses that are needed: flat, without attributes, never nested in themselves.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of that name. */
export function elementText(xml: string, element: string): string | undefined {
  return elementTexts(xml, element)[0];
}

/** The content of each element of that name. */
export function elementTexts(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'));
  return Array.from(found, ([, inner = '']) => inner);
}

/** Decodes the entities of a text. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? all;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  });
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (sign) => (sign === '&' ? '&amp;' : sign === '<' ? '&lt;' : '&gt;'));
}
