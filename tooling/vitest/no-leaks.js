import { afterAll } from 'vitest';

const names = ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'Date', 'fetch'];
const globals = names.map((name) => [name, Reflect.get(globalThis, name)]);

// The files of a package run in one process: a fake that one leaves behind would make others fail.
afterAll(() => {
  const left = globals.filter(([name, real]) => Reflect.get(globalThis, name) !== real);
  for (const [name, real] of left) Reflect.set(globalThis, name, real);
  if (left.length > 0) throw new Error(`This file leaves fakes behind: ${left.map(([name]) => name).join(', ')}.`);
});
