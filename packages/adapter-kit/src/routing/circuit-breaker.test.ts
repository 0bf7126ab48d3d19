import { beforeEach, expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

let clock: number;
let breaker: CircuitBreaker;

beforeEach(() => {
  clock = 0;
  breaker = createCircuitBreaker({ failures: 3, cooldownMs: 1000, now: () => clock });
});

function fail(times: number): void {
  for (let index = 0; index < times; index++) breaker.acquire()?.failed('ECONNREFUSED');
}

/** The breaker opens with this number of further failures, and not before. */
function expectOpenAfter(failures: number): void {
  fail(failures - 1);
  expect(breaker.acquire()).toBeDefined();
  fail(1);
  expect(breaker.acquire()).toBeUndefined();
}

test('opens after the configured number of consecutive failures', () => expectOpenAfter(3));

test('a success resets the count of consecutive failures', () => {
  fail(2);
  breaker.acquire()?.succeeded();
  expectOpenAfter(3);
});

test('a client that disconnects, or the headers of a reply, do not reset the count of failures', () => {
  fail(2);
  breaker.acquire()?.released();
  const earlierPermit = breaker.acquire();
  earlierPermit?.responded();
  earlierPermit?.failed('ECONNREFUSED');
  expect(breaker.acquire()).toBeUndefined();
});

test('reports how long it stays open', () => {
  expect(breaker.retryAfterMs()).toBe(0);
  fail(3);
  clock = 400;
  expect(breaker.retryAfterMs()).toBe(600);
});

test('permits one probe after the cooldown, and no other request during the probe', () => {
  fail(3);
  clock = 999;
  expect(breaker.acquire()).toBeUndefined();
  clock = 1000;
  expect(breaker.acquire()).toBeDefined();
  expect(breaker.acquire()).toBeUndefined();
});

test('closes at the headers of the reply to the probe, while the reply continues', () => {
  fail(3);
  clock = 1000;
  const trying = breaker.acquire();
  trying?.responded();
  expect(breaker.acquire()).toBeDefined();
  trying?.failed('ECONNREFUSED');
  expectOpenAfter(2);
});

test('opens for another cooldown when the probe fails', () => {
  fail(3);
  clock = 1000;
  breaker.acquire()?.failed('ECONNREFUSED');
  expect(breaker.retryAfterMs()).toBe(1000);
  expect(breaker.acquire()).toBeUndefined();
});

test('permits another probe when the client of the first disconnected', () => {
  fail(3);
  clock = 1000;
  breaker.acquire()?.released();
  expect(breaker.acquire()).toBeDefined();
});

test('ignores reports of attempts that started before it opened', () => {
  const permits = [breaker.acquire(), breaker.acquire(), breaker.acquire()];
  fail(3);
  permits[0]?.succeeded();
  expect(breaker.acquire()).toBeUndefined();
  clock = 1000;
  const trying = breaker.acquire();
  permits[1]?.failed('ECONNREFUSED');
  permits[2]?.released();
  expect(breaker.acquire()).toBeUndefined();
  trying?.succeeded();
  expect(breaker.acquire()).toBeDefined();
});

test('counts only the first report of an attempt', () => {
  const permit = breaker.acquire();
  for (let index = 0; index < 5; index++) permit?.failed('ECONNREFUSED');
  expect(breaker.acquire()).toBeDefined();
});
