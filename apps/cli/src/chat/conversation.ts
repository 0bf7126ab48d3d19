import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatCompletionMessageParam } from '@modelwire/client';
import { CliError } from '../cli-error.ts';
import { pathsOf } from '../config/paths.ts';
import { readIfExists, writePrivateFile } from '../config/private-file.ts';
import { EXIT } from '../exit-codes.ts';
import { isRecord, parseJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';

/** The messages of a chat and its model. The system message is separate, because it can change. */
export interface Conversation {
  readonly id: string;
  readonly model: string;
  readonly system: string | undefined;
  readonly messages: readonly ChatCompletionMessageParam[];
}

/** A conversation from a file. */
export interface SavedConversation extends Conversation {
  /** Unix seconds. */
  readonly createdAt: number;
}

/** Older conversations are deleted. */
const MAX_SAVED = 200;

export function newConversation(model: string, system: string | undefined): Conversation {
  // IDs sort by time. The process ID keeps those of two terminals apart.
  const id = `${new Date().toISOString().replace(/[^\d]/g, '')}-${process.pid.toString(16)}`;
  return { id, model, system, messages: [] };
}

/** The messages of a request. */
export function requestMessages({ system, messages }: Conversation): ChatCompletionMessageParam[] {
  return [
    ...(system === undefined || system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages,
  ];
}

function chatFolder(terminal: Terminal): string {
  return join(pathsOf(terminal).state, 'chats');
}

export async function saveConversation(terminal: Terminal, conversation: Conversation): Promise<void> {
  const { id, model, system, messages } = conversation;
  await writePrivateFile(join(chatFolder(terminal), `${id}.json`), JSON.stringify({ id, model, system, messages }));
  const ids = await conversationIds(terminal);
  for (const old of ids.slice(0, Math.max(0, ids.length - MAX_SAVED))) await deleteConversation(terminal, old);
}

export async function deleteConversation(terminal: Terminal, id: string): Promise<void> {
  await rm(join(chatFolder(terminal), `${id}.json`), { force: true });
}

/** The conversation that was created last. */
export async function lastConversation(terminal: Terminal): Promise<SavedConversation | undefined> {
  const id = (await conversationIds(terminal)).at(-1);
  return id === undefined ? undefined : read(terminal, id);
}

/** A saved conversation by its ID, or by the beginning of its ID if only one has it. */
export async function findConversation(terminal: Terminal, idOrPrefix: string): Promise<SavedConversation> {
  const ids = await conversationIds(terminal);
  const matches = ids.includes(idOrPrefix) ? [idOrPrefix] : ids.filter((id) => id.startsWith(idOrPrefix));
  const [id] = matches;
  const found = id === undefined || matches.length > 1 ? undefined : await read(terminal, id);
  if (found !== undefined) return found;
  const problem = matches.length > 1 ? 'is not unique' : 'does not exist';
  throw new CliError(
    EXIT.notFound,
    `The chat "${idOrPrefix}" ${problem}.`,
    'Run modelwire chats list for a list of chats.',
  );
}

/** Saved conversations, newest first. */
export async function listConversations(terminal: Terminal, limit: number): Promise<SavedConversation[]> {
  const ids = (await conversationIds(terminal)).reverse();
  const found = await Promise.all(ids.slice(0, limit).map((id) => read(terminal, id)));
  return found.filter((each) => each !== undefined);
}

/** Oldest first. */
export async function conversationIds(terminal: Terminal): Promise<string[]> {
  const names = await readdir(chatFolder(terminal)).catch(() => []);
  return names.flatMap((name) => /^(\d+-[\da-f]+)\.json$/.exec(name)?.[1] ?? []).sort();
}

async function read(terminal: Terminal, id: string): Promise<SavedConversation | undefined> {
  const value = parseJson((await readIfExists(join(chatFolder(terminal), `${id}.json`))) ?? '');
  if (!isRecord(value)) return undefined;
  const { model, system, messages } = value;
  if (typeof model !== 'string' || !Array.isArray(messages)) return undefined;
  return {
    id,
    createdAt: timeOf(id),
    model,
    system: typeof system === 'string' ? system : undefined,
    // The file was written by this program; the server validates the messages.
    messages: messages.filter(isMessage),
  };
}

/** Unix seconds of `20261122093000123-1f`, which begins with the digits of an ISO time. */
function timeOf(id: string): number {
  const iso = id.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3}).*$/, '$1-$2-$3T$4:$5:$6.$7Z');
  return Math.floor(Date.parse(iso) / 1000);
}

function isMessage(value: unknown): value is ChatCompletionMessageParam {
  return isRecord(value) && typeof value['role'] === 'string';
}

export function asMarkdown({ model, system, messages }: Conversation): string {
  const parts = [`# Chat with ${model}`];
  if (system !== undefined) parts.push(`> ${system.replaceAll('\n', '\n> ')}`);
  for (const message of messages) {
    const author = message.role === 'user' ? 'You' : message.role === 'tool' ? 'Tool' : 'Model';
    parts.push(`## ${author}`, textOf(message));
  }
  return `${parts.join('\n\n')}\n`;
}

export function textOf(message: ChatCompletionMessageParam): string {
  const { content } = message;
  const calls = 'tool_calls' in message ? (message.tool_calls ?? []) : [];
  const called = calls.map((call) => `→ ${call.type === 'function' ? call.function.name : call.custom.name}`);
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n\n');
  return [text, ...called].filter((each) => each !== '').join('\n');
}
