import { beforeEach, expect, test } from 'vitest';
import { createBreaker } from './breaker.ts';
import type { Breaker } from './breaker.ts';

let clock: number;
let breaker: Breaker;

beforeEach(() => {
  clock = 0;
  breaker = createBreaker({ failures: 3, cooldownMs: 1000, now: () => clock });
});

function fail(times: number): void {
  for (let index = 0; index < times; index++) breaker.enter()?.failed();
}

test('opens after so many failures in a row', () => {
  fail(2);
  expect(breaker.enter()).toBeDefined();
  fail(1);
  expect(breaker.enter()).toBeUndefined();
});

test('a success ends the row', () => {
  fail(2);
  breaker.enter()?.succeeded();
  fail(2);
  expect(breaker.enter()).toBeDefined();
});

test('a caller who left, or a reply that has only begun, does not end the row', () => {
  fail(2);
  breaker.enter()?.left();
  const begun = breaker.enter();
  begun?.answered();
  begun?.failed();
  expect(breaker.enter()).toBeUndefined();
});

test('says how long it stays open', () => {
  expect(breaker.remaining()).toBe(0);
  fail(3);
  clock = 400;
  expect(breaker.remaining()).toBe(600);
});

test('lets one request try after the cooldown, and no other meanwhile', () => {
  fail(3);
  clock = 999;
  expect(breaker.enter()).toBeUndefined();
  clock = 1000;
  expect(breaker.enter()).toBeDefined();
  expect(breaker.enter()).toBeUndefined();
});

test('closes when the try is answered, even if its reply goes on', () => {
  fail(3);
  clock = 1000;
  const trying = breaker.enter();
  trying?.answered();
  expect(breaker.enter()).toBeDefined();
  trying?.failed();
  fail(1);
  expect(breaker.enter()).toBeDefined();
  fail(1);
  expect(breaker.enter()).toBeUndefined();
});

test('opens for another cooldown when the try fails', () => {
  fail(3);
  clock = 1000;
  breaker.enter()?.failed();
  expect(breaker.remaining()).toBe(1000);
  expect(breaker.enter()).toBeUndefined();
});

test('lets another try when the caller of the first left', () => {
  fail(3);
  clock = 1000;
  breaker.enter()?.left();
  expect(breaker.enter()).toBeDefined();
});

test('what began before it opened says nothing afterwards', () => {
  const early = [breaker.enter(), breaker.enter(), breaker.enter()];
  fail(3);
  early[0]?.succeeded();
  expect(breaker.enter()).toBeUndefined();
  clock = 1000;
  const trying = breaker.enter();
  early[1]?.failed();
  early[2]?.left();
  expect(breaker.enter()).toBeUndefined();
  trying?.succeeded();
  expect(breaker.enter()).toBeDefined();
});

test('counts the first report of an attempt alone', () => {
  const permit = breaker.enter();
  for (let index = 0; index < 5; index++) permit?.failed();
  expect(breaker.enter()).toBeDefined();
});
