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

test('opens after so many failures in a row', () => {
  fail(2);
  expect(breaker.acquire()).toBeDefined();
  fail(1);
  expect(breaker.acquire()).toBeUndefined();
});

test('a success ends the row', () => {
  fail(2);
  breaker.acquire()?.succeeded();
  fail(2);
  expect(breaker.acquire()).toBeDefined();
});

test('a client that disconnected, or a reply that has only begun, does not end the row', () => {
  fail(2);
  breaker.acquire()?.released();
  const begun = breaker.acquire();
  begun?.responded();
  begun?.failed('ECONNREFUSED');
  expect(breaker.acquire()).toBeUndefined();
});

test('says how long it stays open', () => {
  expect(breaker.retryAfterMs()).toBe(0);
  fail(3);
  clock = 400;
  expect(breaker.retryAfterMs()).toBe(600);
});

test('lets one request try after the cooldown, and no other meanwhile', () => {
  fail(3);
  clock = 999;
  expect(breaker.acquire()).toBeUndefined();
  clock = 1000;
  expect(breaker.acquire()).toBeDefined();
  expect(breaker.acquire()).toBeUndefined();
});

test('closes when the try is answered, even if its reply goes on', () => {
  fail(3);
  clock = 1000;
  const trying = breaker.acquire();
  trying?.responded();
  expect(breaker.acquire()).toBeDefined();
  trying?.failed('ECONNREFUSED');
  fail(1);
  expect(breaker.acquire()).toBeDefined();
  fail(1);
  expect(breaker.acquire()).toBeUndefined();
});

test('opens for another cooldown when the try fails', () => {
  fail(3);
  clock = 1000;
  breaker.acquire()?.failed('ECONNREFUSED');
  expect(breaker.retryAfterMs()).toBe(1000);
  expect(breaker.acquire()).toBeUndefined();
});

test('lets another try when the client of the first disconnected', () => {
  fail(3);
  clock = 1000;
  breaker.acquire()?.released();
  expect(breaker.acquire()).toBeDefined();
});

test('what began before it opened says nothing afterwards', () => {
  const early = [breaker.acquire(), breaker.acquire(), breaker.acquire()];
  fail(3);
  early[0]?.succeeded();
  expect(breaker.acquire()).toBeUndefined();
  clock = 1000;
  const trying = breaker.acquire();
  early[1]?.failed('ECONNREFUSED');
  early[2]?.released();
  expect(breaker.acquire()).toBeUndefined();
  trying?.succeeded();
  expect(breaker.acquire()).toBeDefined();
});

test('counts the first report of an attempt alone', () => {
  const permit = breaker.acquire();
  for (let index = 0; index < 5; index++) permit?.failed('ECONNREFUSED');
  expect(breaker.acquire()).toBeDefined();
});
