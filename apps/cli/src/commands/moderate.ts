import type { ModeratedInput, ModerationInput, ModerationMultiModalInput } from '@modelwire/client';
import type { App, Define } from '../app.ts';
import { attachImage } from '../chat/attachments.ts';
import { EXIT } from '../exit-codes.ts';
import { collect } from '../option-values.ts';
import type { Column } from '../output/table.ts';
import { inputTexts } from '../stdin.ts';
import { withExamples } from '../subcommand.ts';

const columns: readonly Column<ModeratedInput>[] = [
  { head: 'result', cell: ({ result }) => (result.flagged ? 'flagged' : 'not flagged') },
  { head: 'categories', cell: ({ result }) => flaggedIn(result.categories).join(' ') },
  { head: 'highest score', cell: ({ result }) => highestScore(result.category_scores) },
  { head: 'input', shrinks: true, cell: ({ input }) => (typeof input === 'string' ? input : textOf(input)) },
];

interface InputFlags {
  readonly image?: readonly string[];
  readonly lines?: boolean;
}

export const define: Define = (command, app) => {
  withExamples(command, {
    'Classify a text': 'modelwire moderate "I love rivers"',
    'Classify each line of a file': 'modelwire moderate --lines --json < comments.txt',
    'Stop a script if a text is flagged': 'modelwire moderate --fail --quiet < post.txt && ./publish',
  })
    .argument('[text...]', 'Texts to classify one by one (default: stdin)')
    .option('-m, --model <model>', 'Model (default: omni-moderation-latest)')
    .option('--image <path>', 'Image to classify together with the text: a path or URL (repeatable)', collect)
    .option('--lines', 'Classify each line of stdin')
    .option('--fail', 'Exit with 10 if anything is flagged')
    .action(async (texts, flags) => {
      const { print, signal } = app;
      const { moderations } = await app.client();
      const inputs = await inputsOf(app, texts, flags);
      // All rows, so that the columns of the table are aligned. Use `--json` for unlimited input.
      const rows: ModeratedInput[] = [];
      for await (const moderated of moderations.createMany(inputs, { model: flags.model, signal })) {
        if (flags.fail && moderated.result.flagged) app.exitCode = EXIT.unsuccessful;
        if (print.json) await print.value(moderated);
        else rows.push(moderated);
      }
      await print.rows(rows, columns, 'No input.');
    });
};

async function inputsOf(
  { terminal }: App,
  words: readonly string[],
  { image = [], lines = false }: InputFlags,
): Promise<Iterable<ModerationInput> | AsyncIterable<ModerationInput>> {
  if (lines || image.length === 0) return inputTexts(terminal, words, { lines }, 'modelwire moderate "<text>"');
  const texts = await Array.fromAsync(inputTexts(terminal, words, {}));
  const parts: ModerationMultiModalInput[] = texts.map((text) => ({ type: 'text', text }));
  for (const part of await Promise.all(image.map((path) => attachImage(path, terminal.cwd)))) {
    if (part.type === 'image_url') parts.push({ type: 'image_url', image_url: { url: part.image_url.url } });
  }
  return [parts];
}

function flaggedIn(categories: object): string[] {
  return Object.entries(categories).flatMap(([name, is]) => (is === true ? [name] : []));
}

function highestScore(scores: Readonly<Record<string, number>>): string {
  const [best] = Object.entries(scores).sort(([, a], [, b]) => b - a);
  return best === undefined ? '' : `${best[0]} ${best[1].toFixed(3)}`;
}

function textOf(parts: readonly ModerationMultiModalInput[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ');
}
