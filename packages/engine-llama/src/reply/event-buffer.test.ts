import { setImmediate } from 'node:timers/promises';
import type { ChatEvent } from '@modelwire/ports';
import { expect, test } from 'vitest';
import { createEventBuffer } from './event-buffer.ts';
import type { EventBuffer } from './event-buffer.ts';

const said = (text: string): ChatEvent => ({ type: 'text', choice: 0, text });
const open = (signal = new AbortController().signal): EventBuffer => createEventBuffer(signal, (wake) => wake());

test('the reader gets all events in order, unread ones together, and then the end', async () => {
  const buffer = open();
  const reader = buffer.read();
  const first = reader.next();
  buffer.push([said('a')]);
  expect(await first).toEqual({ value: [said('a')], done: false });
  buffer.push([said('b')]);
  buffer.push([said('c'), said('d')]);
  buffer.end();
  expect(await reader.next()).toEqual({ value: [said('b'), said('c'), said('d')], done: false });
  expect(await reader.next()).toEqual({ value: undefined, done: true });
});

test('the reader gets an error after the events', async () => {
  const buffer = open();
  buffer.push([said('a')]);
  buffer.end(new Error('no memory'));
  const reader = buffer.read();
  expect((await reader.next()).value).toEqual([said('a')]);
  await expect(reader.next()).rejects.toThrow('no memory');
});

test('generation pauses at 32 unread lists of events, until they are read or reading is cancelled', async () => {
  for (const leaves of [false, true]) {
    const buffer = open();
    for (let count = 0; count < 32; count++) buffer.push([said('a')]);
    let hasRoom = false;
    const room = buffer.waitForRoom().then(() => (hasRoom = true));
    await setImmediate();
    expect(hasRoom).toBe(false);
    if (leaves) buffer.cancel();
    else await buffer.read().next();
    await room;
    expect(hasRoom).toBe(true);
  }
});

test('an abort ends the wait for events', async () => {
  const caller = new AbortController();
  const next = open(caller.signal).read().next();
  caller.abort(new Error('the client disconnected'));
  await expect(next).rejects.toThrow('the client disconnected');
});
