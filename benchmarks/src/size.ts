import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { short, table } from './table.ts';
import { targetTable } from './targets.ts';

const subjects = {
  chat: ['`createChat` of `@modelwire/chat`, with core', "export { createChat } from '@modelwire/chat'"],
  whole: ['all of `@modelwire/chat`, with core', "export * from '@modelwire/chat'"],
  responses: [
    '`createResponses` of `@modelwire/responses`, with core',
    "export { createResponses } from '@modelwire/responses'",
  ],
  responsesWhole: ['all of `@modelwire/responses`, with core', "export * from '@modelwire/responses'"],
  core: [
    '`createTransport`, `asStream` of `@modelwire/core`',
    "export { createTransport, asStream } from '@modelwire/core'",
  ],
  coreWhole: ['all of `@modelwire/core`', "export * from '@modelwire/core'"],
  decoder: ['`createSseDecoder` of `@modelwire/core`', "export { createSseDecoder } from '@modelwire/core'"],
  esp: ['`createParser` of `eventsource-parser`', "export { createParser } from 'eventsource-parser'"],
  types: ['`@modelwire/schema/types`', "export * from '@modelwire/schema/types'"],
  routes: ['`@modelwire/schema/routes`', "export * from '@modelwire/schema/routes'"],
  schema: ['all of `@modelwire/schema`, with zod', "export * from '@modelwire/schema'"],
  openai: ['`OpenAI` of `openai`', "export { OpenAI } from 'openai'"],
} as const;

interface Weight {
  readonly min: number;
  readonly gzip: number;
}

/** Size of browser bundles by esbuild, minified and gzipped. A KB has 1,024 bytes. */
export async function sizeSection(): Promise<string> {
  const weighed = await Promise.all(
    Object.values(subjects).map(async ([title, source]) => ({ title, ...(await weigh(source)) })),
  );
  const openai = weighed.at(-1)?.gzip ?? NaN;
  const [chat, chatWhole, responses] = weighed;
  return [
    table(
      ['import', 'minified, KB', 'gzipped, KB', '÷ `openai`'],
      weighed.map(({ title, min, gzip }) => [title, short(min / 1024), short(gzip / 1024), (gzip / openai).toFixed(3)]),
    ),
    targetTable([
      ...[chat, chatWhole, responses].map((weight) => ({
        what: `${weight?.title ?? ''}, gzipped`,
        wanted: { below: 8 },
        unit: 'KB' as const,
        reached: (weight?.gzip ?? NaN) / 1024,
      })),
    ]),
  ].join('\n\n');
}

async function weigh(contents: string): Promise<Weight> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return { min: bytes.byteLength, gzip: gzipSync(bytes, { level: 9 }).byteLength };
}
