import type { Define } from '../app.ts';
import { usageError } from '../cli-error.ts';
import { positiveInteger } from '../option-values.ts';
import type { Column } from '../output/table.ts';
import { inputTexts } from '../stdin.ts';
import { withExamples } from '../subcommand.ts';

/** Inputs of one request. Servers accept up to 2,048. */
const INPUTS_PER_REQUEST = 512;

interface EmbeddedText {
  readonly input: string;
  readonly embedding: readonly number[];
}

const columns: readonly Column<EmbeddedText>[] = [
  { head: 'dimensions', right: true, cell: ({ embedding }) => embedding.length },
  { head: 'embedding', cell: ({ embedding }) => `${embedding.slice(0, 4).map(shortNumber).join(' ')} …` },
  { head: 'input', shrinks: true, cell: ({ input }) => input },
];

export const define: Define = (command, app) => {
  withExamples(command, {
    'Embed a text': 'modelwire embeddings --model simulator-embedding "I love rivers" --json',
    'Embed each line of a file':
      'modelwire embeddings --model simulator-embedding --lines --json < notes.txt > notes.jsonl',
  })
    .description('With --json, prints {"input", "embedding"} for each text. Texts are sent in groups, in their order.')
    .argument('[text...]', 'Texts to embed (default: stdin)')
    .option('-m, --model <model>', 'Embedding model')
    .option('--dimensions <n>', 'Length of the vectors, if the model supports it', positiveInteger)
    .option('--lines', 'Embed each line of stdin')
    .action(async (words, { model, dimensions, lines }) => {
      const { terminal, print, signal } = app;
      if (model === undefined)
        throw usageError('Missing required option --model.', 'List models: modelwire models list');
      const { embeddings } = await app.client();
      const texts = inputTexts(terminal, words, { lines }, 'modelwire embeddings --model <id> "<text>"');
      const pages = async function* (): AsyncGenerator<readonly EmbeddedText[], void, undefined> {
        for await (const input of inGroups(texts)) {
          // Base64 makes the response smaller; the client decodes it.
          const body = { model, input, encoding_format: 'base64', dimensions } as const;
          const { data } = await embeddings.create(body, { signal });
          yield data.map(({ index, embedding }) => ({ input: input[index] ?? '', embedding: [...embedding] }));
        }
      };
      if (!print.json) await print.rows(pages(), columns, 'No input.');
      else for await (const page of pages()) for (const each of page) await print.value(each);
    });
};

async function* inGroups(texts: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  let group: string[] = [];
  for await (const text of texts) {
    group.push(text);
    if (group.length < INPUTS_PER_REQUEST) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const shortNumber = (value: number): string => value.toFixed(4);
