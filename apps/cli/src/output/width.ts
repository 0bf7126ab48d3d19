let segmenter: Intl.Segmenter | undefined;

/** Created on first use, since its data takes 9 ms to load. */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

// East Asian wide and fullwidth blocks, and emoji, take two cells. Terminals differ in other characters.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f$/u;
const ZERO_WIDTH = /^\p{Mark}+$/u;

/** Width of a text without control sequences, in terminal cells. */
export function widthOf(text: string): number {
  if (/^[\x00-\x7f]*$/.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of segmentsOf(text)) cells += ZERO_WIDTH.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** Truncates a text to a width, with an ellipsis. */
export function fit(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let taken = '';
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
    const width = widthOf(segment);
    if (used + width > cells - 1) break;
    taken += segment;
    used += width;
  }
  return cells < 1 ? '' : `${taken}…`;
}
