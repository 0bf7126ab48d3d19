import { createEmbeddings } from '@modelwire/responses';
import type { NumericEmbedding } from '@modelwire/responses';
import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import type { Context, Flags } from '../command.ts';
import { modelFlag } from '../model-flag.ts';
import { oneLine } from '../output/controls.ts';
import type { Column } from '../output/table.ts';
import { readLines, readStdin } from '../stdin.ts';

/** Inputs of one request. Servers accept up to 2,048. */
const inputsPerRequest = 512;
const shownNumbers = 4;

const flags = {
  model: modelFlag('Embedding model'),
  dimensions: { type: 'integer', value: 'n', min: 1, description: 'Length of the vectors, if the model supports it' },
  lines: { type: 'boolean', description: 'Embed each line of stdin' },
} as const satisfies Flags;

interface EmbeddedText {
  readonly input: string;
  readonly embedding: readonly number[];
}

const columns: readonly Column<EmbeddedText>[] = [
  { head: 'dimensions', right: true, cell: ({ embedding }) => embedding.length },
  { head: 'embedding', cell: ({ embedding }) => `${embedding.slice(0, shownNumbers).map(shortNumber).join(' ')} …` },
  { head: 'input', shrinks: true, cell: ({ input }) => oneLine(input) },
];

export const command = defineCommand({
  arguments: [{ name: 'text', optional: true, multiple: true, description: 'Texts to embed (default: stdin)' }],
  flags,
  description: 'With --json, prints {"input", "embedding"} for each text. Texts are sent in groups, in their order.',
  examples: [
    { what: 'Embed a text', line: 'modelwire embeddings --model simulator-embedding "I love rivers" --json' },
    {
      what: 'Embed each line of a file',
      line: 'modelwire embeddings --model simulator-embedding --lines --json < notes.txt > notes.jsonl',
    },
  ],
  async run(context) {
    const { transport, print, signal } = context;
    const { model, dimensions } = context.flags;
    if (model === undefined) throw usageError('Missing required option --model.', 'List models: modelwire models list');
    const embeddings = createEmbeddings(await transport());
    const pages = async function* (): AsyncGenerator<readonly EmbeddedText[], void, undefined> {
      for await (const input of inGroups(textsOf(context))) {
        // Base64 makes the response smaller; the client decodes it.
        const body = {
          model,
          input,
          encoding_format: 'base64',
          ...(dimensions !== undefined && { dimensions }),
        } as const;
        const { data } = await embeddings.create(body, { signal });
        yield data.map((each) => ({ input: input[each.index] ?? '', embedding: numbersOf(each) }));
      }
    };
    if (!print.json) await print.rows(pages(), columns, 'No input.');
    else for await (const page of pages()) for (const each of page) await print.value(each);
    return undefined;
  },
});

async function* textsOf({ args, flags: { lines }, terminal }: Context<typeof flags>): AsyncGenerator<string, void> {
  if (lines) {
    for await (const line of readLines(terminal.stdin)) if (line.trim() !== '') yield line;
    return;
  }
  if (args.length > 0) return yield* args;
  const piped = terminal.isTTY.stdin ? '' : await readStdin(terminal);
  if (piped.trim() === '') {
    throw usageError('Missing text.', 'Pass a text, or pipe it: modelwire embeddings --model <id> "<text>"');
  }
  yield piped;
}

async function* inGroups(texts: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  let group: string[] = [];
  for await (const text of texts) {
    group.push(text);
    if (group.length < inputsPerRequest) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const numbersOf = ({ embedding }: NumericEmbedding): readonly number[] => [...embedding];

const shortNumber = (value: number): string => value.toFixed(4);
