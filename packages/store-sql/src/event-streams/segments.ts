import type { EventSegment } from '@modelwire/ports';

/** The columns of a segment. JSON escapes line ends, so that a line is an event. */
export function segmentColumns({ first, events }: EventSegment) {
  return { last_event: first + events.length - 1, data: events.join('\n') };
}

export function segmentOf(lastEvent: number, data: string): EventSegment {
  const events = data.split('\n');
  return { first: lastEvent - events.length + 1, events };
}
