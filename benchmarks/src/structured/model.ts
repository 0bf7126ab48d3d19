// Structured outputs in front of a real model without grammars: node benchmarks/src/structured/model.ts --url http://127.0.0.1:8080/v1 --model smol
// Every reply that ends with `stop` has to be valid.
import { parseArgs } from 'node:util';
import { createUpstream } from '@modelwire/engine-upstream';
import { createServer } from '@modelwire/server';
import type { RequestLogEntry } from '@modelwire/server';
import { table } from '../table.ts';
import { readReply } from './read-reply.ts';
import { createCheck } from './validate.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080/v1' },
    model: { type: 'string', default: 'smol' },
    /** How often each question is asked, whole and streamed. */
    rounds: { type: 'string', default: '9' },
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
/** Short schemas that a small model can follow, each with a question, and another one with its answer. */
const questions = [
  ['Name a city and its country.', object({ city: text, country: text }), 'Name another one.', { city: 'Oslo', country: 'Norway' }],
  ['What is 3 plus 4?', object({ result: { type: 'integer' } }), 'What is 2 plus 2?', { result: 4 }],
  ['Is the sky blue?', object({ answer: { type: 'boolean' } }), 'Is snow black?', { answer: false }],
  ['Which colors has the flag of France?', object({ colors: { type: 'array', items: text, maxItems: 3 } }), 'And of Japan?', { colors: ['red', 'white'] }],
  ['Rate this film from 1 to 5: "A masterpiece."', object({ rating: { enum: [1, 2, 3, 4, 5] } }), 'And this: "Boring."', { rating: 1 }],
  ['Describe a book.', object({ title: text, pages: { type: 'integer', minimum: 1 } }), 'Describe another one.', { title: 'Emma', pages: 474 }],
] as const; // prettier-ignore

const logged: RequestLogEntry[] = [];
const engine = createUpstream({
  upstreams: [{ baseURL: values.url, preset: 'llama.cpp', structuredOutputs: 'guaranteed' }],
  // The server writes schemas into the prompt: the upstream never receives one.
  models: { m: { upstreamModel: values.model, capabilities: { response_formats: ['text'] } } },
});
const server = createServer({ engines: [engine], keys: 'open', log: (entry) => void logged.push(entry) });

const outcomes = ['unchanged', 'cleaned', 'closed', 'continued', 'repeated', 'length', 'invalid_output'] as const;
const rows: string[][] = [];
for (const stream of [false, true]) {
  const counts = new Map<string, number>();
  let requests = 0;
  let invalid = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [question, schema, example, answer] of questions) {
      const response = await server.fetch(
        new Request('http://localhost/v1/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ model: 'm', seed: round, temperature: 0.7, max_tokens: Number(values.tokens), stream },
            messages: [
              { role: 'user', content: example },
              { role: 'assistant', content: JSON.stringify(answer) },
              { role: 'user', content: question },
            ],
            response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
          }),
        }),
      );
      const { content, finish, code } = readReply(await response.text(), stream);
      const { outputAttempts = 0, outputSteps = [] } = logged.pop() ?? {};
      const outcome = finish === 'stop' ? (outputSteps[0] ?? 'unchanged') : (finish ?? code ?? String(response.status));
      if (finish === 'stop' && !createCheck(schema)(content)) invalid++;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      requests += outputAttempts;
      console.error(`${question} ${outcome} ${outputAttempts} ${content.replaceAll('\n', ' ').slice(0, 100)}`);
    }
  }
  const all = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const others = Array.from(counts.keys()).filter((outcome) => !outcomes.some((known) => known === outcome));
  if (others.length > 0) throw new Error(`other outcomes: ${others.join(', ')}`);
  rows.push([
    ...[stream ? 'streamed' : 'whole', String(all), String(invalid)],
    ...outcomes.map((outcome) => String(counts.get(outcome) ?? 0)),
    (requests / all).toFixed(2),
  ]);
}
await engine.close?.();
console.log(table(['replies', 'count', 'invalid delivered', ...outcomes, 'requests'], rows));
