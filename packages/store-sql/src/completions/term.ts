import { hash } from 'node:crypto';

/**
 * A filter of a list as a short index term: its kind (`a` for all of a project, `f` for a finish reason, `k` for a key, `m` for a model,
 * `p` for a metadata pair) and 132 bits of
 * SHA-256, so that any text of any length can be indexed.
 */
export function projectTerm(project: string): string {
  return `a${digest([project])}`;
}

export function modelTerm(project: string, model: string): string {
  return `m${digest([project, model])}`;
}

export function keyTerm(project: string, keyId: string): string {
  return `k${digest([project, keyId])}`;
}

export function finishTerm(project: string, finishReason: string): string {
  return `f${digest([project, finishReason])}`;
}

export function pairTerms(project: string, metadata: Readonly<Record<string, string>>): string[] {
  return Object.entries(metadata).map(([key, value]) => `p${digest([project, key, value])}`);
}

/** Terms from here on are metadata pairs, which change with `setMetadata`. */
export const firstPairTerm = 'p';

/** Hashes several texts. JSON separates them unambiguously and escapes lone surrogates. */
export function digest(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 22);
}
