import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RunnableTool, StandardSchema } from '@modelwire/chat/tools';
import { usageError } from '../cli-error.ts';
import { isRecord, parseJsonObject } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { splitWords } from './shell-words.ts';

/** A command that the model can call. */
export interface CommandTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: JsonObject;
  /** The words of the command, with `{name}` as placeholder of an argument. */
  readonly command: readonly string[];
}

const TYPES = new Set(['string', 'integer', 'number', 'boolean']);
/** Longer output is truncated, with a note for the model. */
const MAX_OUTPUT_BYTES = 256 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * Parses `name(city, days?: integer) "description" = command --days {days} {city}`, or `@file.json` with name, description,
 * parameters (a JSON Schema) and command (an array of words). No shell is involved: an argument from the model becomes one word of
 * the command, never the program, and never an option before a `--`. All arguments are passed on stdin as JSON. A program that runs
 * the words after `--` as another command (`npx x -- {q}`) can still interpret them as options.
 */
export async function readTool(spec: string, cwd: string): Promise<CommandTool> {
  return spec.startsWith('@') ? fromFile(spec.slice(1), cwd) : fromLine(spec);
}

function fromLine(spec: string): CommandTool {
  const match = /^\s*([\w-]{1,64})\s*(?:\(([^)]*)\))?\s*(?:"([^"]*)")?\s*=\s*(\S.*)$/s.exec(spec);
  if (match === null) {
    throw usageError(
      `Invalid value "${spec}" for option --tool.`,
      `Expected a value such as --tool 'weather(city, days?: integer) "The weather" = ./weather --days {days} {city}'`,
    );
  }
  const [, name = '', list = '', description, line = ''] = match;
  const parsedParameters = list
    .split(',')
    .flatMap((part) => (part.trim() === '' ? [] : [parseParameter(name, part.trim())]));
  const parameters = {
    type: 'object',
    properties: Object.fromEntries(parsedParameters.map(({ name, type }) => [name, { type }])),
    required: parsedParameters.flatMap(({ name, optional }) => (optional ? [] : [name])),
    additionalProperties: false,
  };
  return checked({ name, description, parameters, command: splitWords(line) }, 'Invalid --tool');
}

function parseParameter(tool: string, text: string): { name: string; type: string; optional: boolean } {
  const match = /^(\w+)(\?)?\s*(?::\s*(\w+))?$/.exec(text);
  const [, name = '', optional, type = 'string'] = match ?? [];
  if (match === null || !TYPES.has(type)) {
    throw usageError(`Invalid parameter "${text}" of --tool ${tool}.`, `Types are ${[...TYPES].join(', ')}.`);
  }
  return { name, type, optional: optional !== undefined };
}

async function fromFile(path: string, cwd: string): Promise<CommandTool> {
  const where = `Invalid --tool @${path}`;
  const value = parseJsonObject(await readFile(resolve(cwd, path), 'utf8'), where);
  const { name, description, parameters = { type: 'object', properties: {} }, command } = value;
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    throw usageError(`${where}: name must be 1 to 64 letters, digits, - or _.`);
  if (!isRecord(parameters)) throw usageError(`${where}: parameters must be a JSON Schema.`);
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  if (!isCommand) throw usageError(`${where}: command must be an array of strings.`);
  const words = command.filter((word) => typeof word === 'string');
  return checked(
    { name, description: typeof description === 'string' ? description : undefined, parameters, command: words },
    where,
  );
}

/** Rejects unknown placeholders, and those that would let the model choose the program or the name of an option. */
function checked(tool: CommandTool, where: string): CommandTool {
  const { properties } = tool.parameters;
  const known = isRecord(properties) ? Object.keys(properties) : [];
  if (tool.command[0]?.match(PLACEHOLDER)) {
    throw usageError(`${where}: the program of ${tool.name} must not be a placeholder.`);
  }
  const end = tool.command.indexOf('--');
  for (const [index, word] of tool.command.entries()) {
    const isOperand = end !== -1 && index > end;
    if (!isOperand && word.startsWith('-') && HAS_PLACEHOLDER.test(word) && !OPTION_WITH_VALUE.test(word)) {
      throw usageError(
        `${where}: "${word}" lets the model choose an option of ${tool.name}.`,
        'Write --name={parameter}, or put the placeholder after "--".',
      );
    }
    for (const [, parameter = ''] of word.matchAll(PLACEHOLDER)) {
      if (known.includes(parameter)) continue;
      throw usageError(`${where}: {${parameter}} is not a parameter of ${tool.name} (${known.join(', ')}).`);
    }
  }
  return tool;
}

const PLACEHOLDER = /\{(\w+)\}/g;
const HAS_PLACEHOLDER = /\{\w+\}/;
/** An option with a fixed name: `--days={days}` or `-n{count}`. */
const OPTION_WITH_VALUE = /^(?:--[^={]+=|-[^-{])/;

/**
 * The words to run for these arguments. A word that is only the placeholder of an absent argument is omitted.
 *
 * @throws Error if an argument would begin a word with `-` before a `--`, since the program would parse it as an option.
 */
export function wordsOf(command: readonly string[], args: Readonly<Record<string, unknown>>): string[] {
  const end = command.indexOf('--');
  return command.flatMap((word, index) => {
    const [, only] = /^\{(\w+)\}$/.exec(word) ?? [];
    if (only !== undefined && (args[only] === undefined || args[only] === null)) return [];
    const text = word.replace(PLACEHOLDER, (_, name: string) => textOf(args[name]));
    const isOperand = end !== -1 && index > end;
    if (!isOperand && text.startsWith('-') && !word.startsWith('-')) {
      throw new Error(
        `The argument ${JSON.stringify(text)} must not begin with "-": the program would parse it as an option.`,
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
  /** Asks the user before a call; without it, all calls are run. */
  readonly approve?: ((name: string, words: readonly string[]) => Promise<boolean>) | undefined;
}

/** Makes a tool of a command. Its result is the output, or the exit code and stderr if the command fails. */
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
        throw new Error('The user rejected this call.');
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
    // The API key is not passed to programs that the model starts.
    const { MODELWIRE_API_KEY: _, ...rest } = env;
    const child = spawn(program, args, { cwd, env: rest, signal, timeout: TIMEOUT_MS });
    const out = createCollector();
    const err = createCollector();
    child.stdout.on('data', out.push);
    child.stderr.on('data', err.push);
    // A command that does not read stdin can close it early.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, signalName) => {
      if (code === 0) resolve(out.text());
      else
        reject(
          new Error(`${program} exited with ${signalName ?? `code ${code ?? ''}`}: ${err.text() || out.text()}`.trim()),
        );
    });
  });
}

function createCollector(): { push(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    push(chunk) {
      if (length < MAX_OUTPUT_BYTES) chunks.push(chunk.subarray(0, MAX_OUTPUT_BYTES - length));
      length += chunk.length;
    },
    text: () =>
      Buffer.concat(chunks).toString().trimEnd() +
      (length > MAX_OUTPUT_BYTES ? `\n[truncated: ${length} bytes in total]` : ''),
  };
}
