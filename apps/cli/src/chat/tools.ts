import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonSchemaObject } from '@modelwire/chat';
import type { RunnableTool, StandardSchema } from '@modelwire/chat/tools';
import { isRecord } from '../config/profiles.ts';
import { usageFailure } from '../failure.ts';
import { splitWords } from './shell-words.ts';

/** A command that a model may call. */
export interface CommandTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: JsonSchemaObject;
  /** The words of the command, with {name} where an argument goes. */
  readonly command: readonly string[];
}

const TYPES = new Set(['string', 'integer', 'number', 'boolean']);
/** What a tool may say at most; the rest is cut, and the model told so. */
const LONGEST_OUTPUT = 256 * 1024;
const TOOL_MS = 120_000;

/**
 * `name(city, days?: integer) "what it does" = command --days {days} {city}`, or `@file.json` with name, description,
 * parameters (a JSON Schema) and command (an array of words). There is no shell: what a model writes is one word of the
 * command, never more and never the program, and all of it is on the command's stdin as JSON. Before a `--` it is never an option
 * either; a program that runs what follows `--` as a command of its own (`npx x -- {q}`) reads it as that command does.
 */
export async function readTool(spec: string, cwd: string): Promise<CommandTool> {
  return spec.startsWith('@') ? fromFile(spec.slice(1), cwd) : fromLine(spec);
}

function fromLine(spec: string): CommandTool {
  const match = /^\s*([\w-]{1,64})\s*(?:\(([^)]*)\))?\s*(?:"([^"]*)")?\s*=\s*(\S.*)$/s.exec(spec);
  if (match === null) {
    throw usageFailure(
      `--tool: "${spec}" cannot be read`,
      `It looks like this: --tool 'weather(city, days?: integer) "The weather" = ./weather --days {days} {city}'`,
    );
  }
  const [, name = '', list = '', description, line = ''] = match;
  const given = list.split(',').flatMap((part) => (part.trim() === '' ? [] : [readParameter(name, part.trim())]));
  const parameters = {
    type: 'object',
    properties: Object.fromEntries(given.map(({ name, type }) => [name, { type }])),
    required: given.flatMap(({ name, optional }) => (optional ? [] : [name])),
    additionalProperties: false,
  };
  return checked({ name, description, parameters, command: splitWords(line) }, '--tool');
}

function readParameter(tool: string, text: string): { name: string; type: string; optional: boolean } {
  const match = /^(\w+)(\?)?\s*(?::\s*(\w+))?$/.exec(text);
  const [, name = '', optional, type = 'string'] = match ?? [];
  if (match === null || !TYPES.has(type)) {
    throw usageFailure(`--tool ${tool}: "${text}" is no parameter`, `Types are ${[...TYPES].join(', ')}.`);
  }
  return { name, type, optional: optional !== undefined };
}

async function fromFile(path: string, cwd: string): Promise<CommandTool> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(resolve(cwd, path), 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw usageFailure(`--tool @${path}: this is no JSON`);
    throw error;
  }
  const where = `--tool @${path}`;
  if (!isRecord(value)) throw usageFailure(`${where}: expected an object`);
  const { name, description, parameters = { type: 'object', properties: {} }, command } = value;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) throw usageFailure(`${where}: name is missing or wrong`);
  if (!isRecord(parameters)) throw usageFailure(`${where}: parameters: expected a JSON Schema`);
  const isWords = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  if (!isWords) throw usageFailure(`${where}: command: expected an array of words`);
  const words = command.filter((word) => typeof word === 'string');
  return checked(
    { name, description: typeof description === 'string' ? description : undefined, parameters, command: words },
    where,
  );
}

/** Refuses placeholders without a parameter, and those through which a model would choose the program or the name of an option. */
function checked(tool: CommandTool, where: string): CommandTool {
  const { properties } = tool.parameters;
  const known = isRecord(properties) ? Object.keys(properties) : [];
  if (tool.command[0]?.match(PLACE)) {
    throw usageFailure(`${where} ${tool.name}: the program must not be a placeholder`);
  }
  const end = tool.command.indexOf('--');
  for (const [index, word] of tool.command.entries()) {
    const isOperand = end !== -1 && index > end;
    if (!isOperand && word.startsWith('-') && PLACE_IN_WORD.test(word) && !OPTION_WITH_VALUE.test(word)) {
      throw usageFailure(
        `${where} ${tool.name}: "${word}" lets the model choose an option`,
        'Write --name={parameter}, or put the placeholder after "--".',
      );
    }
    for (const [, place = ''] of word.matchAll(PLACE)) {
      if (known.includes(place)) continue;
      throw usageFailure(`${where} ${tool.name}: {${place}} is none of its parameters (${known.join(', ')})`);
    }
  }
  return tool;
}

const PLACE = /\{(\w+)\}/g;
const PLACE_IN_WORD = /\{\w+\}/;
/** The name of the option is fixed: `--days={days}` or `-n{count}`. */
const OPTION_WITH_VALUE = /^(?:--[^={]+=|-[^-{])/;

/**
 * The words to run, for these arguments. A word that only holds the place of an absent argument is left out.
 *
 * @throws Error where an argument would begin a word with `-` before a `--`: the program would read it as an option.
 */
export function wordsOf(command: readonly string[], args: Readonly<Record<string, unknown>>): string[] {
  const end = command.indexOf('--');
  return command.flatMap((word, index) => {
    const [, only] = /^\{(\w+)\}$/.exec(word) ?? [];
    if (only !== undefined && (args[only] === undefined || args[only] === null)) return [];
    const text = word.replace(PLACE, (_, name: string) => textOf(args[name]));
    const isOperand = end !== -1 && index > end;
    if (!isOperand && text.startsWith('-') && !word.startsWith('-')) {
      throw new Error(
        `The argument ${JSON.stringify(text)} must not begin with "-": the program would read it as an option.`,
      );
    }
    return [text];
  });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface ToolContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks whether a call may run; absent where every call may. */
  readonly approve?: ((name: string, words: readonly string[]) => Promise<boolean>) | undefined;
}

/** A command as a tool that runs. What it prints is told to the model; of one that fails, its code and stderr. */
export function runnable(tool: CommandTool, context: ToolContext): RunnableTool {
  const { name, description, parameters, command } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: fieldsSchema,
    jsonSchema: parameters,
    strict: false,
    async run(args, { signal }) {
      const fields = isRecord(args) ? args : {};
      const words = wordsOf(command, fields);
      if (context.approve !== undefined && !(await context.approve(name, words))) {
        throw new Error('The user does not want this call.');
      }
      return runCommand(words, JSON.stringify(fields), context, signal);
    },
  };
}

const fieldsSchema: StandardSchema<unknown, unknown> = {
  '~standard': {
    version: 1,
    vendor: 'modelwire',
    validate: (value) => (isRecord(value) ? { value } : { issues: [{ message: 'expected an object' }] }),
  },
};

function runCommand(
  [program = '', ...args]: readonly string[],
  input: string,
  { cwd, env }: ToolContext,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // The key is for the server, and for no program that a model starts.
    const { MODELWIRE_API_KEY: _, ...rest } = env;
    const child = spawn(program, args, { cwd, env: rest, signal, timeout: TOOL_MS });
    const out = collect();
    const err = collect();
    child.stdout.on('data', out.take);
    child.stderr.on('data', err.take);
    // A command that reads nothing closes its end early: no failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) resolve(out.text());
      else
        reject(
          new Error(`${program} ended with ${killed ?? `code ${code ?? ''}`}: ${err.text() || out.text()}`.trim()),
        );
    });
  });
}

function collect(): { take(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let held = 0;
  let cut = false;
  return {
    take(chunk) {
      if (held < LONGEST_OUTPUT) chunks.push(chunk.subarray(0, LONGEST_OUTPUT - held));
      held += chunk.length;
      cut = held > LONGEST_OUTPUT;
    },
    text: () => Buffer.concat(chunks).toString().trimEnd() + (cut ? `\n[cut: ${held} bytes in all]` : ''),
  };
}
