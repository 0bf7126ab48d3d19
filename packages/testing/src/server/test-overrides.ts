import { AsyncLocalStorage } from 'node:async_hooks';
import { setTestOverrides } from '@modelwire/server/test-overrides';

/** IDs and time of one test server. */
export interface TestOverrides {
  readonly id: (prefix: string) => string | undefined;
  readonly now: () => number | undefined;
}

const overridesStorage = new AsyncLocalStorage<TestOverrides>();

// Each test server of this process has its own overrides. Other code keeps random IDs and the real time.
setTestOverrides({
  id: (prefix) => overridesStorage.getStore()?.id(prefix),
  now: () => overridesStorage.getStore()?.now(),
});

/** Runs a function, and everything asynchronous that it starts, with the overrides of a server. */
export function runWithOverrides<Result>(overrides: TestOverrides, run: () => Result): Result {
  return overridesStorage.run(overrides, run);
}
