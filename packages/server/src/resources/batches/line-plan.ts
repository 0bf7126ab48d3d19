import { hash } from 'node:crypto';
import { isRecord } from '@modelwire/adapter-kit';
import { valueStart } from '@modelwire/adapter-kit/internal';
import type { LineLocation } from '../../media/files/lines.ts';

/**
 * Where the lines of an input file are, and the order in which they run: lines whose prompts start in the same way run together, so that engines
 * find that start in their caches. All of it follows from the file, so that it is the same after a crash.
 */
export interface LinePlan {
  /** Indexes of lines, without those that cannot be read. */
  readonly order: readonly number[];
  locate(line: number): LineLocation;
}

interface LinePlanner {
  /** Adds the next line. One without a body is not part of the order. */
  add(location: LineLocation, body?: Readonly<Record<string, unknown>>): void;
  finish(): LinePlan;
}

interface Line {
  readonly index: number;
  readonly model: unknown;
  /** The hash of how its prompt starts; undefined if it has no start that others could share. */
  readonly prefix: string | undefined;
}

/** Groups that run at once. */
const maxGroups = 8;
/** Lines of one group that follow each other before another group has its turn. */
const linesPerTurn = 64;
/** Maximum number of characters of a prompt's start that are compared. */
const maxPrefixLength = 16 * 1024;

export function createLinePlanner(): LinePlanner {
  const lines: Line[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const checksums: number[] = [];
  return {
    add({ start, end, checksum }, body) {
      if (body) lines.push({ index: starts.length, model: body['model'], prefix: prefixOf(body) });
      starts.push(start);
      ends.push(end);
      checksums.push(checksum);
    },
    finish() {
      // Each model has its own slots: lines of one do not keep those of another waiting.
      const ofModels = [...Map.groupBy(lines, ({ model }) => model).values()].map(orderByPrefix);
      return {
        order: takeTurns(ofModels, 1),
        locate: (line) => ({ start: starts[line] ?? 0, end: ends[line] ?? 0, checksum: checksums[line] ?? 0 }),
      };
    },
  };
}

/** Groups take turns. All lines that share their start with no other are the first group, so that large ones do not keep them waiting. */
function orderByPrefix(lines: readonly Line[]): readonly number[] {
  const groups = [...Map.groupBy(lines, ({ prefix }) => prefix)];
  const indexesOf = (group: readonly Line[]): readonly number[] => group.map(({ index }) => index);
  const isShared = ([prefix, { length }]: (typeof groups)[number]): boolean => prefix !== undefined && length > 1;
  const shared = groups.filter(isShared).map(([, group]) => indexesOf(group));
  const single = groups.filter((group) => !isShared(group)).flatMap(([, group]) => indexesOf(group));
  return takeTurns([single.sort((a, b) => a - b), ...shared], linesPerTurn, maxGroups);
}

/** Takes so many of each list in turn, of at most `maxLists` at once: when one is used up, the next one takes its place. */
function takeTurns(lists: readonly (readonly number[])[], perTurn: number, maxLists = lists.length): number[] {
  const waiting = lists.map((list) => ({ list, taken: 0 }));
  let active = waiting.splice(0, maxLists);
  const order: number[] = [];
  while (active.length > 0) {
    for (const one of active) order.push(...one.list.slice(one.taken, (one.taken += perTurn)));
    active = active.filter(({ list, taken }) => taken < list.length);
    active.push(...waiting.splice(0, maxLists - active.length));
  }
  return order;
}

/** The hash of what comes before the first message of the user, in chat and responses: tools and instructions. */
function prefixOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const { tools, functions, instructions, messages, input } = body;
  const parts = [tools ?? functions, instructions, instructionsIn(messages ?? input)];
  if (parts.every((part) => part === undefined || part === null)) return undefined;
  const text = JSON.stringify(parts.map((part) => valueStart(part, maxPrefixLength)));
  return hash('sha256', text, 'base64url');
}

/** The messages before the first one of the user; undefined if there are none. */
function instructionsIn(messages: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const items: readonly unknown[] = messages;
  const first = items.findIndex(
    (item) => !isRecord(item) || (item['role'] !== 'system' && item['role'] !== 'developer'),
  );
  const leading = first === -1 ? items : items.slice(0, first);
  return leading.length === 0 ? undefined : leading;
}
