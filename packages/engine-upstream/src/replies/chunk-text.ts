/** The JSON of a chunk around the text of its delta. Chunks that differ only in that text have the same parts. */
export interface ChunkParts {
  readonly before: string;
  readonly after: string;
  /** Whether `obfuscation` of the upstream follows `after`. */
  readonly isPadded: boolean;
}

/** Characters of a JSON string up to its closing quote. */
const characters = /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
/** The memory of a regular expression grows with the length of its matches. */
const maxLength = 64 * 1024;
/** The last text of a delta, up to the opening quote. */
const textFields = /"(?:content|reasoning_content|reasoning|refusal|arguments)"\s*:\s*"/g;
const upstreamPadding = /,"obfuscation":"[^"\\]*"\}$/;
const stickyUpstreamPadding = /,"obfuscation":"[^"\\]*"\}$/y;

/**
 * Splits the JSON of a chunk with one choice around its text, which may be replaced by any other JSON string: the chunk remains JSON, and nothing
 * else in it changes. Undefined if the chunk is too long or its text cannot be found.
 */
export function splitChunk(chunk: string): ChunkParts | undefined {
  if (chunk.length > maxLength) return undefined;
  const last = [...chunk.matchAll(textFields)].at(-1);
  if (!last) return undefined;
  const start = last.index + last[0].length;
  const after = chunk.slice(endOfText(chunk, start));
  const padding = upstreamPadding.exec(after);
  return {
    before: chunk.slice(0, start),
    after: padding ? after.slice(0, padding.index) : after,
    isPadded: padding !== null,
  };
}

/** The text of a chunk that has these parts, as a JSON string without its quotes; undefined for any other chunk. */
export function textOfChunk(chunk: string, { before, after, isPadded }: ChunkParts): string | undefined {
  // Comparing slices is five times as fast as `startsWith`.
  if (chunk.length > maxLength || chunk.slice(0, before.length) !== before) return undefined;
  const end = endOfText(chunk, before.length);
  const rest = end + after.length;
  if (chunk.slice(end, rest) !== after) return undefined;
  if (isPadded) {
    stickyUpstreamPadding.lastIndex = rest;
    if (!stickyUpstreamPadding.test(chunk)) return undefined;
  } else if (rest !== chunk.length) return undefined;
  return chunk.slice(before.length, end);
}

function endOfText(text: string, start: number): number {
  characters.lastIndex = start;
  characters.test(text);
  return characters.lastIndex;
}
