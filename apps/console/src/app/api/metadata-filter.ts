/** Metadata pairs of a filter such as `team=search, run=7`. After a backslash, a comma belongs to the pair. */
export function parseMetadataFilter(text: string): Record<string, string> {
  const pairs = text.match(/(?:\\.|[^,])+/gs) ?? [];
  return parsePairs(pairs.map((pair) => pair.replaceAll(/\\([,\\])/g, '$1')));
}

/** The filter of metadata pairs, as `parseMetadataFilter` takes it. */
export function formatMetadataFilter(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}=${value}`.replaceAll(/[,\\]/g, '\\$&'))
    .join(',');
}

/** Pairs such as `team=search`. Those without a key are left out. */
export function parsePairs(texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((pair): [key: string, value: string] => {
    const separator = pair.indexOf('=');
    return separator < 0 ? ['', ''] : [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()];
  });
  return Object.fromEntries(pairs.filter(([key]) => key !== ''));
}

/** A key of metadata and its values. */
export interface MetadataKey {
  readonly key: string;
  readonly values: readonly string[];
}

/** The filters that continue a text: with each key or, after `key=`, with each of its values. */
export function suggestFilters(text: string, keys: readonly MetadataKey[]): readonly string[] {
  const [, complete = '', pair = ''] = /^((?:(?:\\.|[^,\\])*,)*)(.*)$/s.exec(text) ?? [];
  const [name = '', ...value] = pair.replaceAll(/\\([,\\])/g, '$1').split('=');
  const values = value.length === 0 ? undefined : keys.find(({ key }) => key === name.trim())?.values;
  const pairs =
    value.length === 0
      ? // A filter cannot name a key with an equals sign.
        keys.filter(({ key }) => !key.includes('=')).map(({ key }) => ({ [key]: '' }))
      : (values ?? []).map((suggested) => ({ [name.trim()]: suggested }));
  return pairs.map((suggested) => complete + formatMetadataFilter(suggested));
}
