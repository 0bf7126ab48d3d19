// Structured outputs in front of a real model without grammars: node benchmarks/src/structured/model.ts --url http://127.0.0.1:8080/v1 --model smol
// Every reply that ends with `stop` has to be valid.
import { parseArgs } from 'node:util';
import { createUpstream } from '@modelwire/engine-upstream';
import { createServer } from '@modelwire/server';
import type { RequestLogEntry } from '@modelwire/server';
import { table } from '../table.ts';
import { createCheck } from './validate.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080/v1' },
    model: { type: 'string', default: 'smol' },
    rounds: { type: 'string', default: '1' },
    tokens: { type: 'string', default: '96' },
  },
});

const text = { type: 'string', maxLength: 40 } as const;
const object = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const questions = [
  ['Name a city and its country.', object({ city: text, country: text })],
  ['Give the result of 3 plus 4.', object({ result: { type: 'integer' } })],
  ['Is the sky blue?', object({ answer: { type: 'boolean' } })],
  ['List two colors.', object({ colors: { type: 'array', items: text, minItems: 2, maxItems: 2 } })],
  ['Rate this film from 1 to 5: "A masterpiece."', object({ rating: { enum: [1, 2, 3, 4, 5] } })],
  ['Describe a book.', object({ title: text, pages: { type: 'integer', minimum: 1 } })],
] as const;

const logged: RequestLogEntry[] = [];
const engine = createUpstream({
  upstreams: [{ baseURL: values.url, preset: 'llama.cpp', structuredOutputs: 'guaranteed' }],
  // The server writes schemas into the prompt: the upstream never receives one.
  models: { m: { upstreamModel: values.model, capabilities: { response_formats: ['text'] } } },
});
const server = createServer({ engines: [engine], keys: 'open', log: (entry) => void logged.push(entry) });

const rows: string[][] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [question, schema] of questions) {
    const response = await server.fetch(
      new Request('http://localhost/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'm', seed: round, temperature: 0.7, max_tokens: Number(values.tokens) },
          messages: [{ role: 'user', content: question }],
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
        }),
      }),
    );
    const { choices, error } = (await response.json()) as {
      readonly choices?: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[];
      readonly error?: { readonly code: string; readonly message: string };
    };
    const { outputAttempts, outputSteps } = logged.pop() ?? {};
    const [choice] = choices ?? [];
    const isValid = choice && createCheck(schema)(choice.message.content);
    rows.push([
      question,
      choice?.finish_reason ?? error?.code ?? '',
      isValid === undefined ? '–' : String(isValid),
      String(outputAttempts),
      outputSteps?.join(', ') ?? 'unchanged',
      (choice?.message.content ?? error?.message ?? '').replaceAll('\n', ' ').slice(0, 80),
    ]);
    console.error(rows.at(-1)?.join(' | '));
  }
}
await engine.close?.();
console.log(table(['question', 'finish', 'valid', 'requests', 'steps', 'reply'], rows));
