import type { EventSegment } from '@modelwire/ports';

const maxEvents = 64;

/** The columns of rows with up to 64 events each. JSON escapes line ends, so that a line is an event. */
export function segmentRows({ first, events }: EventSegment) {
  return Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, index) => {
    const part = events.slice(index * maxEvents, (index + 1) * maxEvents);
    return { last_event: first + index * maxEvents + part.length - 1, data: part.join('\n') };
  });
}

export function segmentOf(lastEvent: number, data: string): EventSegment {
  const events = data.split('\n');
  return { first: lastEvent - events.length + 1, events };
}
