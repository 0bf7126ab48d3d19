import { hash } from 'node:crypto';

/**
 * A filter of a list as a short index term: its kind (`a` for all of a project, `m` for a model, `p` for a metadata pair) and 132 bits of
 * SHA-256, so that any text of any length can be indexed.
 */
export function projectTerm(project: string): string {
  return `a${cachedDigest([project])}`;
}

export function modelTerm(project: string, model: string): string {
  return `m${cachedDigest([project, model])}`;
}

export function pairTerms(project: string, metadata: Readonly<Record<string, string>>): string[] {
  return Object.entries(metadata).map(([key, value]) => `p${digest([project, key, value])}`);
}

/** Terms from here on are metadata pairs, which change with `setMetadata`. */
export const firstPairTerm = 'p';

/** Hashes several texts. JSON separates them unambiguously and escapes lone surrogates. */
export function digest(texts: readonly string[]): string {
  return digestOf(JSON.stringify(texts));
}

function digestOf(json: string): string {
  return hash('sha256', json, 'base64url').slice(0, 22);
}

const maxCachedDigests = 1000;
const cachedDigests = new Map<string, string>();

/** Projects and models repeat, and a hash costs as much as the rest of storing a completion. */
function cachedDigest(texts: readonly string[]): string {
  const json = JSON.stringify(texts);
  let found = cachedDigests.get(json);
  if (found === undefined) {
    found = digestOf(json);
    if (cachedDigests.size >= maxCachedDigests) cachedDigests.clear();
    cachedDigests.set(json, found);
  }
  return found;
}
