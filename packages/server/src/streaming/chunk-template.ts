/** A chunk to send, split around its choices. */
export interface RenderedChunk {
  /** Fields up to the choices. */
  readonly opening: string;
  /** The choices, without the brackets of their list. */
  readonly choices: string;
}

/** The common parts of chunks that differ only in the text of their delta: as received from the upstream, and as sent to the client. */
export interface ChunkTemplate {
  readonly before: string;
  readonly after: string;
  /** Whether `obfuscation` of the upstream follows `after`. */
  readonly isPadded: boolean;
  readonly opening: string;
  readonly choicesBefore: string;
  readonly choicesAfter: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Characters of a JSON string up to its closing quote. */
const characters = /(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;
/** The memory of a regular expression grows with the length of its matches. */
const maxLength = 64 * 1024;
/** The last text of a delta, up to the opening quote. */
const textFields = /"(?:content|reasoning_content|reasoning|refusal|arguments)"\s*:\s*"/g;
const upstreamPadding = /,"obfuscation":"[^"\\]*"\}$/;
const stickyUpstreamPadding = /,"obfuscation":"[^"\\]*"\}$/y;

/** Replaces the text. A chunk that contains it anywhere else has no template. */
const placeholder = '\u001ftext\u001f';
const placeholderJson = JSON.stringify(placeholder).slice(1, -1);

/**
 * The template of a chunk; undefined if its text cannot be found.
 *
 * @param text JSON of a chunk with one choice.
 * @param render Renders the parts of a chunk from its text and fields.
 */
export function chunkTemplate(
  text: string,
  render: (text: string, chunk: Fields) => RenderedChunk,
): ChunkTemplate | undefined {
  if (text.length > maxLength) return undefined;
  const last = [...text.matchAll(textFields)].at(-1);
  if (!last) return undefined;
  const start = last.index + last[0].length;
  const before = text.slice(0, start);
  let after = text.slice(endOfText(text, start));
  // The text of a JSON string may be replaced by any other: the chunk remains JSON, and nothing else in it changes.
  const { opening, choices } = render(
    before + placeholderJson + after,
    JSON.parse(before + placeholderJson + after) as Fields,
  );
  const [choicesBefore, choicesAfter, ...more] = choices.split(placeholderJson);
  if (choicesBefore === undefined || choicesAfter === undefined || more.length > 0) return undefined;
  if (opening.includes(placeholderJson)) return undefined;
  const padding = upstreamPadding.exec(after);
  if (padding) after = after.slice(0, padding.index);
  return { before, after, isPadded: padding !== null, opening, choicesBefore, choicesAfter };
}

/** The text of a chunk that the template describes, as a JSON string without its quotes; undefined for any other chunk. */
export function textOf(chunk: string, { before, after, isPadded }: ChunkTemplate): string | undefined {
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
