import { expect, test } from 'vitest';
import { createConnection } from './connection.ts';
import type { Connection, Message } from './connection.ts';

interface Counter {
  add(count: number): number;
  later(count: number): Promise<number>;
  fail(message: string): void;
}

/** Connects a caller to a counter; messages are sent as JSON. Counts the messages that are sent to the counter. */
function connected() {
  let sent = 0;
  let total = 0;
  const pass = (to: () => Connection<never>) => async (messages: readonly Message[]) => {
    await Promise.resolve();
    to().receive(JSON.parse(JSON.stringify(messages)) as readonly Message[]);
  };
  const methods: Counter = {
    add: (count) => (total += count),
    later: async (count) => {
      await new Promise(setImmediate);
      return count;
    },
    fail(message) {
      throw new Error(message);
    },
  };
  const counter: Connection<never> = createConnection<never>({
    methods: { ...methods },
    send: pass(() => caller),
    onSendFailure: () => undefined,
  });
  const toCounter = pass(() => counter);
  const caller = createConnection<Counter>({
    methods: {},
    send: (messages) => {
      sent++;
      return toCounter(messages);
    },
    onSendFailure: () => undefined,
  });
  return { caller, sent: () => sent };
}

test('calls resolve with results, and reject with the message of an error', async () => {
  const { caller } = connected();
  caller.notify('add', 1);
  expect(await caller.call('add', 2)).toBe(3);
  expect(await caller.call('later', 7)).toBe(7);
  await expect(caller.call('fail', 'wrong')).rejects.toThrow('wrong');
});

test('calls of one turn of the event loop are sent together', async () => {
  const { caller, sent } = connected();
  await Promise.all([1, 2, 3].map((count) => caller.call('add', count)));
  expect(sent()).toBe(1);
});

test('calls reject when the other process has exited', async () => {
  const { caller } = connected();
  const waiting = caller.call('later', 1);
  caller.close();
  await expect(waiting).rejects.toThrow('exited');
  await expect(caller.call('add', 1)).rejects.toThrow('exited');
});

test('a message that cannot be sent closes the connection, and is reported once', async () => {
  let failures = 0;
  const connection = createConnection<Counter>({
    methods: {},
    send: () => Promise.reject(new Error('the channel is closed')),
    onSendFailure: () => failures++,
  });
  await expect(connection.call('add', 1)).rejects.toThrow('exited');
  connection.notify('add', 2);
  await connection.flush();
  expect(failures).toBe(1);
});

test('messages that arrive after the connection is closed are ignored', () => {
  const added: number[] = [];
  const connection = createConnection<Counter>({
    methods: { add: (count: number) => added.push(count) },
    send: () => Promise.resolve(),
    onSendFailure: () => undefined,
  });
  const messages = [{ call: 'add', argument: 1 as never }];
  connection.receive(messages);
  connection.close();
  connection.receive(messages);
  expect(added).toEqual([1]);
});
