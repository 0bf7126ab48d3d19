import type { ApiPromise } from './transport.ts';

/** What `map` makes of the result of a call. An error that `call` throws is a rejection, too. */
export function mapApiPromise<T, U>(call: () => ApiPromise<T>, map: (data: T) => Promise<U>): ApiPromise<U> {
  const called = (async () => call().withResponse())();
  const data = called.then((result) => map(result.data));
  return Object.assign(data, {
    withResponse: () => data.then(async (mapped) => ({ ...(await called), data: mapped })),
  });
}
