import { GrammarError } from '../errors.ts';
import { isJsonObject } from './keywords.ts';

/** Resolves a `$ref` that is a JSON pointer into the document. */
function resolvePointer(root: unknown, reference: string, path: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    const reason = `"${reference}" does not refer to this schema; use #, or a pointer such as #/$defs/name`;
    throw new GrammarError('unsupported', reason, { path });
  }
  let current: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current)) {
      const list: readonly unknown[] = current;
      current = /^\d+$/.test(key) ? list[Number(key)] : undefined;
    } else {
      current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    }
    if (current === undefined)
      throw new GrammarError('syntax', `"${reference}" does not exist in this schema`, { path });
  }
  return current;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns a function that resolves references within a document: pointers and anchors (`$anchor`, and `$id` or `id` that start with `#`),
 * optionally preceded by the `$id` of the document. Results are cached.
 */
export function createReferences(root: unknown): (reference: string, path: string) => unknown {
  const address = isJsonObject(root) ? (root['$id'] ?? root['id']) : undefined;
  const rootId = typeof address === 'string' ? address.replace(/#.*$/, '') : '';
  let anchors: Map<string, unknown> | undefined;
  const find = (reference: string, path: string): unknown => {
    let local = reference;
    if (rootId !== '' && (reference === rootId || reference.startsWith(`${rootId}#`)))
      local = reference.slice(rootId.length) || '#';
    if (!/^#[^/]/.test(local)) return resolvePointer(root, local, path);
    anchors ??= findAnchors(root);
    const found = anchors.get(local.slice(1));
    if (found === undefined) throw new GrammarError('syntax', `"${reference}" does not exist in this schema`, { path });
    return found;
  };
  const known = new Map<string, unknown>();
  return (reference, path) => {
    let found = known.get(reference);
    if (found === undefined) known.set(reference, (found = find(reference, path)));
    return found;
  };
}

function findAnchors(root: unknown): Map<string, unknown> {
  const anchors = new Map<string, unknown>();
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isJsonObject(next)) {
      const { $anchor, $id, id } = next;
      if (typeof $anchor === 'string') anchors.set($anchor, next);
      for (const name of [$id, id])
        if (typeof name === 'string' && name.startsWith('#')) anchors.set(name.slice(1), next);
    }
    const inner: readonly unknown[] = Object.values(next);
    for (const each of inner) open.push(each);
  }
  return anchors;
}
