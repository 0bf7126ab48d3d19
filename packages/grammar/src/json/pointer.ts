import { GrammarError } from '../errors.ts';
import { isJsonObject } from './keywords.ts';

/** Resolves a `$ref` within the document. */
export function resolvePointer(root: unknown, reference: string, path: string): unknown {
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
    if (current === undefined) throw new GrammarError('syntax', `"${reference}" names nothing`, { path });
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
