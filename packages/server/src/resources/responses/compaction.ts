import { fromBase64, toBase64 } from '../../base64.ts';

/** Prefix that distinguishes content of this server from that of hosted services, which only they can read. */
const prefix = 'modelwire-summary.';

/** The content of a `compaction` item: the summary in base64, not encrypted. */
export function encodeCompaction(summary: string): string {
  return prefix + toBase64(new TextEncoder().encode(summary));
}

/** The summary; undefined when the content was not made by `encodeCompaction`. */
export function decodeCompaction(content: string): string | undefined {
  if (!content.startsWith(prefix)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(content.slice(prefix.length)));
  } catch {
    return undefined;
  }
}
