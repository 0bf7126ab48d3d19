import type { Principal, Stores } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Policies } from './policies.ts';

interface WithPolicies {
  readonly policies: Policies | undefined;
  readonly options: { readonly stores: Stores | undefined };
}

/**
 * Checks that a project may store so many more bytes. Requests that store at the same time may pass the limit together by what they store.
 *
 * @throws a 403 when its files, stored completions and stored responses would exceed its storage limit.
 */
export async function assertStorageAllows(
  { policies, options: { stores } }: WithPolicies,
  principal: Principal,
  bytes: number,
): Promise<void> {
  const limit = (await policies?.of(principal))?.storageLimitBytes;
  if (limit === undefined || !stores) return;
  const used = await stores.keys.storageBytes(principal.project);
  if (used + bytes <= limit && used < limit) return;
  throw new RequestError(
    `The project '${principal.project}' may store ${limit} bytes of files, stored completions and stored responses, and stores ${used}. ` +
      `Delete some, send \`store: false\`, or ask an administrator to raise the limit.`,
    { status: 403, code: 'storage_quota_exceeded' },
  );
}
