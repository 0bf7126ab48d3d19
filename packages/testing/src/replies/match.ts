import { matchPattern, groupsOf, matchesName, showPattern } from './pattern.ts';
import type { ChatRequestInfo, ChatMatcher, Pattern } from './types.ts';

/** A condition of a matcher with the actual value. */
interface Check {
  readonly says: string;
  readonly holds: boolean;
  readonly was: string;
}

export interface Match {
  /** The groups of RegExps; those of the last message take precedence. Computed on demand. */
  readonly groups: () => Readonly<Record<string, string>>;
}

/** Matches a request; undefined if it does not match. */
export function matches(when: ChatMatcher, asked: ChatRequestInfo): Match | undefined {
  if (when.model !== undefined && !matchesName(asked.model, when.model)) return undefined;
  if (when.stream !== undefined && when.stream !== asked.stream) return undefined;
  if (when.format !== undefined && when.format !== asked.format) return undefined;
  if (when.turn !== undefined && when.turn !== asked.turn) return undefined;
  if (when.customId !== undefined && !isLine(asked, when.customId)) return undefined;
  if (when.toolResult !== undefined && !fitsToolResult(when.toolResult, asked)) return undefined;
  const { tool } = when;
  if (tool !== undefined && !asked.tools.some((name) => matchesName(name, tool))) return undefined;
  const inSystem = when.system === undefined ? 'there' : matchPattern(asked.system, when.system);
  if (inSystem === undefined) return undefined;
  const inMessage = when.message === undefined ? 'there' : matchPattern(asked.lastMessage, when.message);
  if (inMessage === undefined) return undefined;
  if (when.test && !when.test(asked)) return undefined;
  return { groups: () => ({ ...groupsOf(inSystem), ...groupsOf(inMessage) }) };
}

function fitsToolResult(wanted: NonNullable<ChatMatcher['toolResult']>, { toolResult }: ChatRequestInfo): boolean {
  if (typeof wanted === 'boolean') return wanted === (toolResult !== undefined);
  return toolResult !== undefined && matchesName(toolResult.name, wanted);
}

function isLine({ customId }: ChatRequestInfo, wanted: Pattern): boolean {
  return customId !== undefined && matchesName(customId, wanted);
}

/** Describes a matcher, with the result of each condition. */
export function explain(when: ChatMatcher, asked: ChatRequestInfo): string {
  const checks = checksOf(when, asked);
  if (checks.length === 0) return 'any request';
  return checks.map(({ says, holds, was }) => (holds ? `${says} (yes)` : `${says} (no: ${was})`)).join(', ');
}

function checksOf(when: ChatMatcher, asked: ChatRequestInfo): readonly Check[] {
  const alone = (part: ChatMatcher): boolean => matches(part, asked) !== undefined;
  const checks: Check[] = [];
  const { model, message, system, tool, toolResult, turn, stream, format, customId, test } = when;
  if (model !== undefined)
    checks.push({ says: `model ${showPattern(model)}`, holds: alone({ model }), was: quoted(asked.model) });
  if (message !== undefined)
    checks.push({ says: `message ${showPattern(message)}`, holds: alone({ message }), was: quoted(asked.lastMessage) });
  if (system !== undefined)
    checks.push({ says: `system ${showPattern(system)}`, holds: alone({ system }), was: quoted(asked.system) });
  if (tool !== undefined)
    checks.push({ says: `tool ${showPattern(tool)}`, holds: alone({ tool }), was: listed(asked.tools) });
  if (toolResult !== undefined) {
    const wanted = typeof toolResult === 'boolean' ? String(toolResult) : showPattern(toolResult);
    const was = asked.toolResult ? `a result of ${quoted(asked.toolResult.name)}` : 'no result of a tool';
    checks.push({ says: `toolResult ${wanted}`, holds: alone({ toolResult }), was });
  }
  if (turn !== undefined) checks.push({ says: `turn ${turn}`, holds: alone({ turn }), was: String(asked.turn) });
  if (stream !== undefined)
    checks.push({ says: `stream ${stream}`, holds: alone({ stream }), was: String(asked.stream) });
  if (format !== undefined) checks.push({ says: `format ${format}`, holds: alone({ format }), was: asked.format });
  if (customId !== undefined) {
    const was = asked.customId === undefined ? 'no line of a batch' : quoted(asked.customId);
    checks.push({ says: `customId ${showPattern(customId)}`, holds: alone({ customId }), was });
  }
  if (test !== undefined) checks.push({ says: 'test', holds: alone({ test }), was: 'it said no' });
  return checks;
}

/** Describes a request in one line. */
export function describeRequest(asked: ChatRequestInfo): string {
  const parts = [`model ${quoted(asked.model)}`, `message ${quoted(asked.lastMessage)}`, `turn ${asked.turn}`];
  if (asked.tools.length > 0) parts.push(`tools ${listed(asked.tools)}`);
  if (asked.toolResult) parts.push(`toolResult ${quoted(asked.toolResult.name)}`);
  if (asked.format !== 'text') parts.push(`format ${asked.format}`);
  if (asked.stream) parts.push('stream true');
  if (asked.customId !== undefined) parts.push(`customId ${quoted(asked.customId)}`);
  return parts.join(', ');
}

const shown = 120;

export function quoted(text: string): string {
  return JSON.stringify(text.length > shown ? `${text.slice(0, shown)}…` : text);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map(quoted).join(', ');
}
