import { createModerations } from '@modelwire/moderations';
import type { ModeratedInput, ModerationInput, ModerationMultiModalInput } from '@modelwire/moderations';
import { attachImage } from '../chat/attachments.ts';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

import { oneLine } from '../output/controls.ts';
import type { Column } from '../output/table.ts';
import { readLines, readStdin } from '../stdin.ts';

const columns: readonly Column<ModeratedInput>[] = [
  { head: 'result', cell: ({ result }) => (result.flagged ? 'flagged' : 'not flagged') },
  { head: 'categories', cell: ({ result }) => flaggedIn(result.categories).join(' ') },
  { head: 'highest score', cell: ({ result }) => highestScore(result.category_scores) },
  { head: 'input', shrinks: true, cell: ({ input }) => oneLine(typeof input === 'string' ? input : textOf(input)) },
];

export const command = defineCommand({
  arguments: [
    { name: 'text', optional: true, multiple: true, description: 'Texts to classify one by one (default: stdin)' },
  ],
  flags: {
    model: { type: 'string', short: 'm', value: 'id', description: 'Model (default: omni-moderation-latest)' },
    image: {
      type: 'string',
      multiple: true,
      value: 'path',
      completes: 'file',
      description: 'Image to classify together with the text: a path or URL',
    },
    lines: { type: 'boolean', description: 'Classify each line of stdin' },
    fail: { type: 'boolean', description: 'Exit with 10 if anything is flagged' },
  },
  examples: [
    { what: 'Classify a text', line: 'modelwire moderate "I love rivers"' },
    { what: 'Classify each line of a file', line: 'modelwire moderate --lines --json < comments.txt' },
    { what: 'Stop a script if a text is flagged', line: 'modelwire moderate --fail --quiet < post.txt && ./publish' },
  ],
  async run(context) {
    const { flags, transport, print, signal } = context;
    const { model } = flags;
    const results = createModerations(await transport()).createMany(await inputsOf(context), {
      signal,
      ...(model !== undefined && { model }),
    });
    // An object, because TypeScript does not see assignments to a variable in the generator.
    const found = { flagged: false };
    const pages = async function* () {
      for await (const moderated of results) {
        found.flagged ||= moderated.result.flagged;
        yield [moderated];
      }
    };
    if (print.json) for await (const [each] of pages()) await print.value(each);
    else await print.rows(collect(pages()), columns, 'No input.');
    return flags.fail && found.flagged ? EXIT.unsuccessful : undefined;
  },
});

async function inputsOf({
  args,
  flags,
  terminal,
}: Parameters<typeof command.run>[0]): Promise<Iterable<ModerationInput> | AsyncIterable<ModerationInput>> {
  if (flags.lines) return nonEmpty(readLines(terminal.stdin));
  const piped = args.length > 0 || terminal.isTTY.stdin ? '' : await readStdin(terminal);
  const texts = args.length > 0 ? args : piped.trim() === '' ? [] : [piped];
  if (flags.image.length > 0) {
    const images = await Promise.all(flags.image.map((path) => attachImage(path, terminal.cwd)));
    const parts: ModerationMultiModalInput[] = texts.map((text) => ({ type: 'text', text }));
    for (const part of images) {
      if (part.type === 'image_url') parts.push({ type: 'image_url', image_url: { url: part.image_url.url } });
    }
    return [parts];
  }
  if (texts.length === 0) throw usageError('Missing text.', 'Pass a text, or pipe it: modelwire moderate "<text>"');
  return texts;
}

async function* nonEmpty(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}

/** Collects all rows, so that the columns of the table are aligned. Use `--json` for unlimited input. */
async function* collect<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[], void, undefined> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  yield rows;
}

function flaggedIn(categories: object): string[] {
  return Object.entries(categories).flatMap(([name, is]) => (is === true ? [name] : []));
}

function highestScore(scores: object): string {
  let best: readonly [string, number] | undefined;
  for (const [name, score] of Object.entries(scores)) {
    if (typeof score === 'number' && score > (best?.[1] ?? -1)) best = [name, score];
  }
  return best === undefined ? '' : `${best[0]} ${best[1].toFixed(3)}`;
}

function textOf(parts: readonly ModerationMultiModalInput[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ');
}
