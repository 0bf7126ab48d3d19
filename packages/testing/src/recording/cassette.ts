import { readFile, writeFile } from 'node:fs/promises';
import { parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import { ScriptError, problemsOf, showProblem } from '../problems.ts';

const recordedRequest = z.strictObject({
  method: z.string(),
  /** With its query. */
  path: z.string(),
  /** JSON unchanged; the fields of a form, with files as name, size and checksum. */
  body: z.unknown().optional(),
});

const recordedResponse = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** At most one of these; none for an empty body. */
  json: z.unknown().optional(),
  events: z.array(z.unknown()).optional(),
  text: z.string().optional(),
  base64: z.string().optional(),
});

const exchange = z.strictObject({ request: recordedRequest, response: recordedResponse });
const cassette = z.strictObject({ upstream: z.string(), exchanges: z.array(exchange) });

export type LazyTestRequest = z.output<typeof recordedRequest>;
export type RecordedResponse = z.output<typeof recordedResponse>;
export type Exchange = z.output<typeof exchange>;
export type Cassette = z.output<typeof cassette>;

const heading = '# Recorded by @modelwire/testing, without keys and cookies. Edit it as you like.\n';

export async function writeCassette(file: string, recorded: Cassette): Promise<void> {
  await writeFile(file, heading + stringify(recorded, { lineWidth: 0, aliasDuplicateObjects: false }));
}

/** @throws {ScriptError} with the problems of the file. */
export async function readCassette(file: string): Promise<Cassette> {
  const document = parseDocument(await readFile(file, 'utf8'));
  const [broken] = document.errors;
  if (broken) throw new ScriptError([{ path: [], message: broken.message }], [`${file}: ${broken.message}`]);
  const parsed = cassette.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error);
  throw new ScriptError(
    problems,
    problems.map((problem) => `${file}: ${showProblem(problem)}`),
  );
}
