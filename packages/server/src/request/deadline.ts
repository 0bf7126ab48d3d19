/** Something that has to be done in time. */
export interface Deadline {
  late: () => void;
  /** The turn of the clock after which it is too late. */
  turn: number;
  /** Its place among those that wait; -1 when it does not. */
  place: number;
}

const everyMs = 5000;
const waiting: Deadline[] = [];
let turn = 0;
let clock: ReturnType<typeof setInterval> | undefined;

/**
 * Calls `late` when `met` was not called within `ms`, five seconds more or less. One clock for all that wait: a timer of its own
 * would cost each request a microsecond, this costs some nanoseconds.
 */
export function startDeadline(ms: number, late: () => void): Deadline {
  const deadline = { late, turn: turn + Math.ceil(ms / everyMs), place: waiting.length };
  waiting.push(deadline);
  if (clock === undefined) {
    clock = setInterval(look, everyMs);
    if (typeof clock === 'object') clock.unref();
  }
  return deadline;
}

export function met(deadline: Deadline): void {
  const { place } = deadline;
  if (place === -1) return;
  deadline.place = -1;
  const last = waiting.pop();
  if (!last || last === deadline) return;
  waiting[place] = last;
  last.place = place;
}

function look(): void {
  turn++;
  for (const deadline of waiting.filter((one) => one.turn < turn)) {
    met(deadline);
    deadline.late();
  }
}
