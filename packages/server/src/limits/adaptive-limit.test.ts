import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAdaptiveLimit } from './adaptive-limit.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';

/** A clock that jumps from one event to the next. */
function createVirtualTime() {
  const events: { readonly at: number; readonly action: () => void }[] = [];
  let now = 0;
  return {
    monotonic: () => now,
    after: (ms: number, action: () => void) => void events.push({ at: now + ms, action }),
    runUntil(isOver: () => boolean) {
      while (!isOver()) {
        const next = events.toSorted((a, b) => a.at - b.at)[0];
        if (!next) throw new Error('nothing happens any more');
        events.splice(events.indexOf(next), 1);
        now = next.at;
        next.action();
      }
    },
  };
}
type VirtualTime = ReturnType<typeof createVirtualTime>;

interface EngineInit {
  readonly time: VirtualTime;
  /** Requests that it works on at the same time; others wait inside. */
  readonly slots: number;
  /** Requests that it has at the same time; others get a 429. */
  readonly capacity: number;
}

function createEngine({ time, slots, capacity }: EngineInit) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let mostAtOnce = 0;
  let refusals = 0;
  function start(ms: number, onEnd: () => void): void {
    running++;
    time.after(ms, () => {
      running--;
      waiting.shift()?.();
      onEnd();
    });
  }
  return {
    msPerToken: 20,
    /** False if it refuses the request. */
    request(tokens: number, onEnd: () => void): boolean {
      if (running + waiting.length >= capacity) {
        refusals++;
        return false;
      }
      const run = (): void => start(tokens * this.msPerToken, onEnd);
      if (running < slots) run();
      else waiting.push(run);
      mostAtOnce = Math.max(mostAtOnce, running + waiting.length);
      return true;
    },
    stats: () => ({ mostAtOnce, refusals }),
  };
}
type Engine = ReturnType<typeof createEngine>;

const max = 256;
const retryMs = 1000;
const newLimit = (time: VirtualTime): AdaptiveLimit =>
  createAdaptiveLimit({ max, clock: time, onChange: () => undefined });

/** Runs lines of a batch, as many at once as the limit says. */
function createBatch(time: VirtualTime, engine: Engine, limit: AdaptiveLimit) {
  let active = 0;
  let completed = 0;
  function fill(): void {
    while (active < limit.current) startLine();
  }
  function startLine(): void {
    active++;
    const end = limit.startLine();
    const outputTokens = 50 + ((completed * 37) % 100);
    const isAccepted = engine.request(outputTokens, () => {
      active--;
      completed++;
      end({ kind: 'completed', outputTokens });
      fill();
    });
    if (isAccepted) return;
    end({ kind: 'refused' });
    time.after(retryMs, () => {
      active--;
      fill();
    });
  }
  fill();
  return { completed: () => completed };
}

function runBatch(init: Omit<EngineInit, 'time'>, lines: number) {
  const time = createVirtualTime();
  const engine = createEngine({ time, ...init });
  const limit = newLimit(time);
  const batch = createBatch(time, engine, limit);
  time.runUntil(() => batch.completed() >= lines);
  const idealMs = (lines * 100 * 20) / init.slots;
  return { ...engine.stats(), limit: limit.current, throughput: idealMs / time.monotonic() };
}

describe('a batch of 2,000 lines', () => {
  test('has far more than 20 lines at once at an engine with room for 64', () => {
    const { mostAtOnce, throughput } = runBatch({ slots: 64, capacity: Infinity }, 2000);
    expect(mostAtOnce).toBeGreaterThan(60);
    expect(mostAtOnce).toBeLessThan(200);
    expect(throughput).toBeGreaterThan(0.85);
  });

  test('is rarely refused by an engine that does 4 and answers 429 beyond 6, and keeps it busy', () => {
    const { refusals, throughput } = runBatch({ slots: 4, capacity: 6 }, 2000);
    expect(refusals).toBeLessThan(2000 * 0.1);
    expect(throughput).toBeGreaterThan(0.9);
  });

  test.each([10, 23, 48, 100])(
    'gives an engine that does %i and queues without a limit about twice as many',
    (slots) => {
      const { mostAtOnce, throughput } = runBatch({ slots, capacity: Infinity }, 2000);
      expect(mostAtOnce).toBeLessThan(2.3 * slots);
      expect(throughput).toBeGreaterThan(0.8);
    },
  );

  test('does not fill an engine that does 4 and queues without a limit', () => {
    const { mostAtOnce, limit, throughput } = runBatch({ slots: 4, capacity: Infinity }, 2000);
    expect(mostAtOnce).toBeLessThanOrEqual(12);
    expect(limit).toBeLessThanOrEqual(10);
    expect(throughput).toBeGreaterThan(0.9);
  });
});

test('a batch delays few interactive requests at an engine that queues without a limit', () => {
  const time = createVirtualTime();
  const slots = 64;
  const engine = createEngine({ time, slots, capacity: Infinity });
  const limit = newLimit(time);
  const firstTokens: number[] = [];
  function arrive(): void {
    const arrivedAt = time.monotonic();
    const onFirstToken = limit.startInteractive();
    engine.request(5, () => {
      firstTokens.push(time.monotonic() - arrivedAt);
      onFirstToken(time.monotonic() - arrivedAt);
    });
    time.after(700, arrive);
  }
  arrive();
  time.runUntil(() => firstTokens.length >= 50);
  const startedAt = time.monotonic();
  const batch = createBatch(time, engine, limit);
  time.runUntil(() => batch.completed() >= 5000);
  const beside = firstTokens.slice(50);
  expect(beside.filter((ms) => ms > 130).length / beside.length).toBeLessThan(0.02);
  expect((5000 * 100 * 20) / slots / (time.monotonic() - startedAt)).toBeGreaterThan(0.8);
});

test('two servers that share an engine and know nothing of each other converge to equal shares', () => {
  const time = createVirtualTime();
  const engine = createEngine({ time, slots: 40, capacity: 40 });
  const first = createBatch(time, engine, newLimit(time));
  time.runUntil(() => first.completed() >= 1000);
  const second = createBatch(time, engine, newLimit(time));
  time.runUntil(() => second.completed() >= 2000);
  const before = [first.completed(), second.completed()] as const;
  time.runUntil(() => second.completed() >= before[1] + 2000);
  const share = (first.completed() - before[0]) / 2000;
  expect(share).toBeGreaterThan(0.7);
  expect(share).toBeLessThan(1.4);
});

/** A limit whose lines and requests end as a test says. */
function controlled() {
  const time = createVirtualTime();
  const limit = newLimit(time);
  const wait = (ms: number): void => {
    let isOver = false;
    time.after(ms, () => (isOver = true));
    time.runUntil(() => isOver);
  };
  return {
    limit,
    wait,
    /** Runs as many lines as the limit allows, each with 100 tokens. */
    runRound(msPerToken: number, kind: 'completed' | 'contended' = 'completed') {
      const ends = Array.from({ length: limit.current }, () => limit.startLine());
      wait(100 * msPerToken);
      for (const end of ends) end(kind === 'completed' ? { kind, outputTokens: 100 } : { kind });
    },
    answer(firstTokenMs: number) {
      const onFirstToken = limit.startInteractive();
      wait(firstTokenMs);
      onFirstToken(firstTokenMs);
    },
  };
}

test('the limit doubles with each round until the first sign of congestion, then grows by one', () => {
  const { limit, runRound } = controlled();
  const limits = [limit.current];
  for (let round = 0; round < 3; round++) {
    runRound(20);
    limits.push(limit.current);
  }
  runRound(20, 'contended');
  limits.push(limit.current);
  for (let round = 0; round < 3; round++) {
    runRound(20);
    limits.push(limit.current);
  }
  expect(limits).toEqual([4, 8, 16, 32, 16, 17, 18, 19]);
});

test('a round has one reduction, whatever its lines and those that started before say', () => {
  const { limit } = controlled();
  const before = Array.from({ length: 4 }, () => limit.startLine());
  for (const end of before) end({ kind: 'refused' });
  expect(limit.current).toBe(2);
});

test('a limit that is not used does not grow', () => {
  const { limit, wait } = controlled();
  for (let line = 0; line < 100; line++) {
    const end = limit.startLine();
    wait(1000);
    end({ kind: 'completed', outputTokens: 100 });
  }
  expect(limit.current).toBeLessThanOrEqual(4);
});

test('lines that fail for their own reasons change nothing', () => {
  const { limit } = controlled();
  for (let line = 0; line < 100; line++) limit.startLine()({ kind: 'failed' });
  expect(limit.current).toBe(4);
});

test('after an outage the limit doubles again, up to where it was', () => {
  const { limit, runRound } = controlled();
  for (let round = 0; round < 4; round++) runRound(20);
  const before = limit.current;
  for (let attempt = 0; attempt < 20; attempt++) limit.startLine()({ kind: 'refused' });
  expect(limit.current).toBe(1);
  let rounds = 0;
  for (; limit.current < before / 2; rounds++) runRound(20);
  expect(rounds).toBeLessThanOrEqual(6);
});

test('lines that take twice as long per token reduce it, unless they take as long with fewer of them', () => {
  const { limit, runRound } = controlled();
  for (let round = 0; round < 4; round++) runRound(20);
  const before = limit.current;
  // The lines of another batch take longer, however few run.
  const limits = Array.from({ length: 12 }, () => {
    runRound(50);
    return limit.current;
  });
  expect(Math.min(...limits)).toBeLessThan(before * 0.6);
  expect(limits.at(-1)).toBeGreaterThanOrEqual(before);
});

describe('the first tokens of interactive requests', () => {
  function withLines(firstTokenMs: number) {
    const run = controlled();
    for (let request = 0; request < 10; request++) run.answer(100);
    run.runRound(20);
    const before = run.limit.current;
    const end = run.limit.startLine();
    for (let request = 0; request < 10; request++) run.answer(firstTokenMs);
    end({ kind: 'failed' });
    return { before, after: run.limit.current };
  }

  test('reduce the limit when they come later than without lines', () => {
    const { before, after } = withLines(150);
    expect(after).toBeLessThan(before);
  });

  test('do not when they come about as soon', () => {
    const { before, after } = withLines(125);
    expect(after).toBe(before);
  });

  test('reduce it by a tenth when one is late, and it grows again after many in time', () => {
    const { limit, answer, runRound } = controlled();
    for (let request = 0; request < 10; request++) answer(100);
    for (let round = 0; round < 4; round++) runRound(20);
    const before = limit.current;
    const end = limit.startLine();
    answer(300);
    end({ kind: 'failed' });
    const reduced = Math.floor(before * 0.9);
    expect(limit.current).toBe(reduced);
    for (let round = 0; round < 5; round++) runRound(20);
    expect(limit.current).toBe(reduced);
    const another = limit.startLine();
    for (let request = 0; request < 60; request++) answer(100);
    another({ kind: 'failed' });
    for (let round = 0; round < 2; round++) runRound(20);
    expect(limit.current).toBe(reduced + 1);
  });

  test('do not when nothing is known about them without lines', () => {
    const { limit, answer } = controlled();
    limit.startLine();
    for (let request = 0; request < 10; request++) answer(5000);
    expect(limit.current).toBe(4);
  });
});

test('whatever happens, the limit is an integer from 1 to its maximum, and only grows with completed lines', () => {
  const step = fc.oneof(
    fc.record({ action: fc.constant('start' as const) }),
    fc.record({
      action: fc.constant('end' as const),
      index: fc.nat(50),
      kind: fc.constantFrom('completed', 'completed', 'completed', 'contended', 'refused', 'failed'),
    }),
    fc.record({ action: fc.constant('answer' as const), ms: fc.nat(1000) }),
    fc.record({ action: fc.constant('wait' as const), ms: fc.nat(5000) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 300 }), (maximum, steps) => {
      let now = 0;
      let announced = Math.min(4, maximum);
      const onChange = (next: number): void => void (announced = next);
      const limit = createAdaptiveLimit({ max: maximum, clock: { monotonic: () => now }, onChange });
      const running: ReturnType<AdaptiveLimit['startLine']>[] = [];
      for (const one of steps) {
        const before = limit.current;
        let isCompleted = false;
        if (one.action === 'wait') now += one.ms;
        else if (one.action === 'answer') limit.startInteractive()(one.ms);
        else if (one.action === 'start') running.push(limit.startLine());
        else {
          const [end] = running.splice(one.index % Math.max(1, running.length), 1);
          isCompleted = one.kind === 'completed';
          end?.(one.kind === 'completed' ? { kind: one.kind, outputTokens: one.index } : { kind: one.kind });
        }
        expect(limit.current).toBe(announced);
        expect(Number.isInteger(limit.current) && limit.current >= 1 && limit.current <= maximum).toBe(true);
        if (!isCompleted) expect(limit.current).toBeLessThanOrEqual(before);
        expect(limit.current).toBeGreaterThanOrEqual(Math.max(1, Math.floor(before / 2)));
      }
    }),
  );
});
