import { splitChunk } from '@modelwire/ports';
import type { ChunkParts } from '@modelwire/ports';

/** A chunk to send, split around its choices. */
export interface RenderedChunk {
  /** Fields up to the choices. */
  readonly opening: string;
  /** The choices, without the brackets of their list. */
  readonly choices: string;
}

/** The common parts of chunks that differ only in the text of their delta: as received from the upstream, and as sent to the client. */
export interface ChunkTemplate extends ChunkParts {
  readonly opening: string;
  readonly choicesBefore: string;
  readonly choicesAfter: string;
}

type Fields = Readonly<Record<string, unknown>>;

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
  const parts = splitChunk(text);
  if (!parts) return undefined;
  const marked = parts.before + placeholderJson + parts.after + (parts.isPadded ? '}' : '');
  const { opening, choices } = render(marked, JSON.parse(marked) as Fields);
  const [choicesBefore, choicesAfter, ...more] = choices.split(placeholderJson);
  if (choicesBefore === undefined || choicesAfter === undefined || more.length > 0) return undefined;
  if (opening.includes(placeholderJson)) return undefined;
  return { ...parts, opening, choicesBefore, choicesAfter };
}
