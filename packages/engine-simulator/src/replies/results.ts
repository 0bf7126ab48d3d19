import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { messageText } from '../prompt-tokens.ts';
import { isRecord } from '../values/schema.ts';
import { core, more, quote } from './conversation.ts';
import type { Reply } from './conversation.ts';

/** A call that was made since the user spoke, and its answer where there is one. */
export interface Result {
  readonly name: string;
  readonly input: string;
  readonly text: string | undefined;
}

/** The calls behind the last user message, in their order. */
export function resultsIn(messages: readonly ChatCompletionMessageParam[]): Result[] {
  if (messages.at(-1)?.role === 'user') return [];
  const results = new Map<string, { name: string; input: string; text: string | undefined }>();
  for (const message of messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)) {
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        const { name, input } =
          call.type === 'function' ? { name: call.function.name, input: call.function.arguments } : call.custom;
        results.set(call.id, { name, input, text: undefined });
      }
    } else if (message.role === 'tool') {
      const known = results.get(message.tool_call_id);
      if (known) known.text = messageText(message).slice(0, 4000).trim();
    }
  }
  return [...results.values()];
}

/** Longer inputs of a call are not quoted. */
const maxInput = 4000;

/** What the tools have answered, in words. */
export function tellResults(results: readonly Result[]): Reply | undefined {
  const answered = results.flatMap(({ name, input, text }) => (text === undefined ? [] : [{ name, input, text }]));
  if (answered.length === 0) return undefined;
  const lines = answered.map(({ name, input, text }, index) => {
    const about = valuesOf(input.length > maxInput ? undefined : parsed(input))
      .slice(0, 4)
      .join(', ');
    const from = about === '' ? name : `${name} (${quote(about)})`;
    const told = tell(text);
    const gap = index === 0 ? '' : ' ';
    return core(`${gap}According to ${from}, ${told}.`, `${gap}From ${from} I have this: ${told}.`);
  });
  const [first] = valuesOf(parsed(answered[0]?.text ?? ''));
  return {
    lines: [...lines, more(' I only pass on what the tool said.', ' That is what came back, word for word.')],
    word: `${first === undefined ? quote(answered[0]?.text ?? '', 40) : String(first)}.`,
  };
}

/** Facts that tools have told by name: the last word on each. */
export function factsIn(results: readonly Result[]): ReadonlyMap<string, unknown> {
  const facts = new Map<string, unknown>();
  const add = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) for (const one of value.slice(0, 50) as unknown[]) add(one, depth + 1);
    else if (isRecord(value) && depth < 5) {
      for (const [name, inner] of Object.entries(value)) {
        facts.set(name.toLowerCase(), inner);
        add(inner, depth + 1);
      }
    }
  };
  for (const { text } of results) if (text !== undefined) add(parsed(text), 0);
  return facts;
}

function tell(text: string): string {
  const value = parsed(text);
  if (text === '') return 'there was nothing to say';
  if (value === undefined || typeof value === 'string') {
    const said = typeof value === 'string' ? value : text;
    return said.length <= 400 && !said.includes('\n') ? `“${said.replace(/[.\s]+$/, '')}”` : `“${quote(said, 400)}”`;
  }
  if (!isRecord(value)) return Array.isArray(value) ? `the answer is ${shown(value)}` : `it is ${shown(value)}`;
  const facts = Object.entries(value)
    .slice(0, 12)
    .map(([name, one]) => `${name.replaceAll('_', ' ')} is ${shown(one)}`);
  return facts.length === 0
    ? 'there is nothing'
    : facts.length === 1
      ? (facts[0] ?? '')
      : `${facts.slice(0, -1).join(', ')} and ${facts.at(-1) ?? ''}`;
}

function shown(value: unknown): string {
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 300);
}

function valuesOf(value: unknown): (string | number | boolean)[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
