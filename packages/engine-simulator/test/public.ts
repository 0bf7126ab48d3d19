// Validates the replies of a server for the schemas of a folder with ajv. A script, not a test. node test/public.ts <folder> [seed] [every]
import { createServer } from '@modelwire/server';
import { forValidator, readSchema, schemaFiles, toStrictSchema } from '../../grammar/test/collections.ts';
import { createValidator } from '../../grammar/test/reference-validator.ts';
import { createSimulator } from '../src/index.ts';

const [folder = '.', seed = '1', every = '1'] = process.argv.slice(2);
const files = schemaFiles(folder).filter((_, place) => place % Number(every) === 0);
const simulator = createSimulator();
await simulator.ready();
const server = createServer({ engines: [simulator], keys: 'open' });

const counts = new Map<string, number>();
const reasons = new Map<string, number>();
const times: { took: number; name: string }[] = [];
const add = (to: Map<string, number>, what: string): unknown => to.set(what, (to.get(what) ?? 0) + 1);
let defects = 0;
const defect = (...what: unknown[]): void => {
  defects++;
  console.log('DEFECT', ...what);
};

const question = 'Book 2 rooms in Paris for John Smith from 2026-03-01, mail a@b.org: "no smoking", please.';

type Reply = { status: number; text: string; finish?: string | null; error?: { code: string; message: string } };

async function ask(schema: unknown, strict: boolean, temperature: number, stream: boolean): Promise<Reply> {
  const response_format = { type: 'json_schema', json_schema: { name: 'reply', schema, strict } };
  const messages = [{ role: 'user', content: question }];
  const body = { model: 'simulator', messages, response_format, seed: Number(seed), temperature, stream };
  const headers = { 'content-type': 'application/json' };
  const url = 'http://server/v1/chat/completions';
  const answer = await server.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
  const { status } = answer;
  const responseText = await answer.text();
  if (status !== 200) return { status, text: '', ...(JSON.parse(responseText) as Pick<Reply, 'error'>) };
  if (!stream) {
    const { choices } = JSON.parse(responseText) as {
      choices: { message: { content: string | null }; finish_reason: string }[];
    };
    return { status, text: choices[0]?.message.content ?? '', finish: choices[0]?.finish_reason ?? null };
  }
  return { status, ...joinStream(responseText) };
}

type Chunk = {
  error?: unknown;
  choices?: { delta: { content?: string | null }; finish_reason: string | null }[];
};

/** The text of a stream and its finish reason; '' and null for an interrupted one. */
function joinStream(events: string): { text: string; finish: string | null } {
  const data = Array.from(events.matchAll(/^data: (.*)$/gm), ([, payload]) => payload ?? '');
  if (data.pop() !== '[DONE]') return { text: '', finish: null };
  let [text, finish] = ['', null as string | null];
  for (const payload of data) {
    const chunk = JSON.parse(payload) as Chunk;
    if (chunk.error !== undefined) return { text: '', finish: null };
    text += chunk.choices?.[0]?.delta.content ?? '';
    finish = chunk.choices?.[0]?.finish_reason ?? finish;
  }
  return { text, finish };
}

/** A message without the parts that are specific to one schema: names, constants and numbers. */
const general = (message: string): string =>
  message
    .replace(/^Invalid schema for response_format 'reply': /, '')
    .replaceAll(/'[^']*'|"[^"]*"/g, '…')
    .replaceAll(/[\d,]+/g, '#');

async function validateReply(
  kind: string,
  name: string,
  schema: unknown,
  strict: boolean,
  temperature: number,
): Promise<void> {
  const from = performance.now();
  const whole = await ask(schema, strict, temperature, false);
  times.push({ took: performance.now() - from, name: `${kind} ${name}` });
  if (whole.error) {
    const { code, message } = whole.error;
    if (whole.status !== 400 || code !== 'invalid_json_schema') defect(kind, name, whole.status, code, message);
    add(counts, `${kind}: refused`);
    add(reasons, `${kind}: ${general(message)}`);
    return;
  }
  add(counts, `${kind}: compiled`);
  const streamed = await ask(schema, strict, temperature, true);
  if (streamed.text !== whole.text) {
    defect(kind, name, 'streamed otherwise', streamed.status, streamed.finish, '\n', whole.text, '\n', streamed.text);
  }
  for (const { finish } of [whole, streamed]) {
    add(counts, `${kind}: ended with ${String(finish)}`);
    if (finish !== 'stop' && finish !== 'length') defect(kind, name, 'ended with', finish);
  }
  let validate;
  try {
    validate = createValidator().compile(forValidator(schema));
  } catch {
    add(counts, `${kind}: compiled, but not by the reference validator`);
    return;
  }
  for (const [how, { text, finish }] of Object.entries({ whole, streamed })) {
    if (finish === 'length' && !isWhole(text)) add(counts, `${kind}: no text fits the limit of tokens (${how})`);
    else if (valid(validate, text)) add(counts, `${kind}: valid ${how}`);
    else defect(kind, name, how, text.slice(0, 300), JSON.stringify(validate.errors?.[0]));
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function valid(validate: (value: unknown) => unknown, text: string): boolean {
  return isWhole(text) && validate(JSON.parse(text)) === true;
}

const startMs = performance.now();
for (const [place, name] of files.entries()) {
  const schema = readSchema(folder, name);
  await validateReply('as it is', name, schema, false, place % 3);
  await validateReply('made strict', name, toStrictSchema(schema), true, place % 3);
}
const sorted = (map: Map<string, number>): Record<string, number> => Object.fromEntries([...map].sort());
times.sort((a, b) => a.took - b.took);
const at = (share: number): string => (times[Math.floor(times.length * share)]?.took ?? 0).toFixed(1);
console.log(files.length, 'files', sorted(counts), 'defects', defects);
for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a).slice(0, 40)) console.log(count, reason);
console.log(`first reply ms p50 ${at(0.5)} p99 ${at(0.99)} p99.9 ${at(0.999)}`);
for (const { took, name } of times.slice(-8)) console.log(took.toFixed(0), name);
console.log(((performance.now() - startMs) / 60_000).toFixed(1), 'minutes');
