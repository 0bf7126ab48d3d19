import type { EventSegment } from '@modelwire/ports';

const maxEvents = 64;
/** Longer than what the chunks of a completion have in common. */
const maxStartLength = 256;

/**
 * The columns of rows with up to 64 events each: a line with the start that they have in common, and one for the rest of each. JSON escapes line
 * ends.
 */
export function segmentRows({ first, events }: EventSegment) {
  return Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, index) => {
    const part = events.slice(index * maxEvents, (index + 1) * maxEvents);
    const start = commonStart(part);
    const data = [start, ...part.map((event) => event.slice(start.length))].join('\n');
    return { last_event: first + index * maxEvents + part.length - 1, data };
  });
}

export function segmentOf(lastEvent: number, data: string): EventSegment {
  const [start = '', ...ends] = data.split('\n');
  return { first: lastEvent - ends.length + 1, events: ends.map((end) => start + end) };
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let start = first.slice(0, maxStartLength);
  // Whole starts are compared seven times as fast as characters, and most events have the same one.
  for (const other of others)
    if (other.slice(0, start.length) !== start) start = start.slice(0, commonLength(start, other));
  // Half of a surrogate pair cannot be stored.
  return start.isWellFormed() ? start : start.slice(0, -1);
}

function commonLength(start: string, other: string): number {
  let length = 0;
  while (length < start.length && start.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}
