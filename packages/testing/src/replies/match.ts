import { matchPattern, groupsOf, matchesName, showPattern } from './pattern.ts';
import type { ChatRequestInfo, ChatMatcher, Pattern } from './types.ts';

/** A condition of a matcher with the actual value. */
interface Check {
  readonly condition: string;
  readonly holds: boolean;
  readonly actual: string;
}

export interface Match {
  /** The groups of RegExps; those of the last message take precedence. Computed on demand. */
  readonly groups: () => Readonly<Record<string, string>>;
}

/** Matches a request; undefined if it does not match. */
export function matches(when: ChatMatcher, requestInfo: ChatRequestInfo): Match | undefined {
  if (when.model !== undefined && !matchesName(requestInfo.model, when.model)) return undefined;
  if (when.stream !== undefined && when.stream !== requestInfo.stream) return undefined;
  if (when.format !== undefined && when.format !== requestInfo.format) return undefined;
  if (when.turn !== undefined && when.turn !== requestInfo.turn) return undefined;
  if (when.customId !== undefined && !matchesBatchLine(requestInfo, when.customId)) return undefined;
  if (when.toolResult !== undefined && !matchesToolResult(when.toolResult, requestInfo)) return undefined;
  const { tool } = when;
  if (tool !== undefined && !requestInfo.tools.some((name) => matchesName(name, tool))) return undefined;
  const inSystem = when.system === undefined ? 'there' : matchPattern(requestInfo.system, when.system);
  if (inSystem === undefined) return undefined;
  const inMessage = when.message === undefined ? 'there' : matchPattern(requestInfo.lastMessage, when.message);
  if (inMessage === undefined) return undefined;
  if (when.test && !when.test(requestInfo)) return undefined;
  return { groups: () => ({ ...groupsOf(inSystem), ...groupsOf(inMessage) }) };
}

function matchesToolResult(expected: NonNullable<ChatMatcher['toolResult']>, { toolResult }: ChatRequestInfo): boolean {
  if (typeof expected === 'boolean') return expected === (toolResult !== undefined);
  return toolResult !== undefined && matchesName(toolResult.name, expected);
}

function matchesBatchLine({ customId }: ChatRequestInfo, expected: Pattern): boolean {
  return customId !== undefined && matchesName(customId, expected);
}

/** Describes a matcher, with the result of each condition. */
export function explain(when: ChatMatcher, requestInfo: ChatRequestInfo): string {
  const checks = describeChecks(when, requestInfo);
  if (checks.length === 0) return 'any request';
  return checks
    .map(({ condition, holds, actual }) => (holds ? `${condition} (yes)` : `${condition} (no: ${actual})`))
    .join(', ');
}

function describeChecks(when: ChatMatcher, requestInfo: ChatRequestInfo): readonly Check[] {
  const checks: Check[] = [];
  const add = (part: ChatMatcher, condition: string, actual: string): void => {
    checks.push({ condition, holds: matches(part, requestInfo) !== undefined, actual });
  };
  const { model, message, system, tool, toolResult, turn, stream, format, customId, test } = when;
  if (model !== undefined) add({ model }, `model ${showPattern(model)}`, quoted(requestInfo.model));
  if (message !== undefined) add({ message }, `message ${showPattern(message)}`, quoted(requestInfo.lastMessage));
  if (system !== undefined) add({ system }, `system ${showPattern(system)}`, quoted(requestInfo.system));
  if (tool !== undefined) add({ tool }, `tool ${showPattern(tool)}`, quotedList(requestInfo.tools));
  if (toolResult !== undefined) {
    const expected = typeof toolResult === 'boolean' ? String(toolResult) : showPattern(toolResult);
    const actual = requestInfo.toolResult ? `a result of ${quoted(requestInfo.toolResult.name)}` : 'no tool result';
    add({ toolResult }, `toolResult ${expected}`, actual);
  }
  if (turn !== undefined) add({ turn }, `turn ${turn}`, String(requestInfo.turn));
  if (stream !== undefined) add({ stream }, `stream ${stream}`, String(requestInfo.stream));
  if (format !== undefined) add({ format }, `format ${format}`, requestInfo.format);
  if (customId !== undefined) {
    const actual = requestInfo.customId === undefined ? 'not a batch line' : quoted(requestInfo.customId);
    add({ customId }, `customId ${showPattern(customId)}`, actual);
  }
  if (test !== undefined) add({ test }, 'test', 'it returned false');
  return checks;
}

/** Describes a request in one line. */
export function describeRequest(requestInfo: ChatRequestInfo): string {
  const parts = [
    `model ${quoted(requestInfo.model)}`,
    `message ${quoted(requestInfo.lastMessage)}`,
    `turn ${requestInfo.turn}`,
  ];
  if (requestInfo.tools.length > 0) parts.push(`tools ${quotedList(requestInfo.tools)}`);
  if (requestInfo.toolResult) parts.push(`toolResult ${quoted(requestInfo.toolResult.name)}`);
  if (requestInfo.format !== 'text') parts.push(`format ${requestInfo.format}`);
  if (requestInfo.stream) parts.push('stream true');
  if (requestInfo.customId !== undefined) parts.push(`customId ${quoted(requestInfo.customId)}`);
  return parts.join(', ');
}

const maxQuotedLength = 120;

export function quoted(text: string): string {
  return JSON.stringify(text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text);
}

function quotedList(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map(quoted).join(', ');
}
