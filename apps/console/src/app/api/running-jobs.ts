import { queryClient } from './query-client.ts';

/** The key of mutations that run in the page, and end with it. */
export const jobKey = ['job'];

/** Asks before the page is closed while a job runs. */
export function warnOfRunningJobs(): void {
  addEventListener('beforeunload', (event) => {
    if (queryClient.isMutating({ mutationKey: jobKey }) > 0) event.preventDefault();
  });
}
