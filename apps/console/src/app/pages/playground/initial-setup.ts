import { personalStorage } from '../../api/personal-storage.ts';
import { readHandover } from '../../api/playground-handover.ts';
import { decodeSetup, emptySetup, readSetup, readShared } from './setup.ts';
import type { Setup, SharedSetup } from './setup.ts';

const storageName = 'playground-setup';

/** The set-up to start with: from a link, from another page, or the last set-up in this browser. */
export function loadInitialSetup(): SharedSetup {
  const encoded = new URLSearchParams(location.hash.slice(1)).get('setup');
  const fromLink = encoded === null ? undefined : decodeSetup(encoded);
  const shared = fromLink ?? readJson(readHandover(), readShared);
  return shared ?? { setup: readJson(personalStorage.read(storageName), readSetup) ?? emptySetup, messages: [] };
}

function readJson<T>(text: string | null | undefined, read: (value: unknown) => T): T | undefined {
  try {
    return text === null || text === undefined ? undefined : read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function storeSetup(setup: Setup): void {
  personalStorage.write(storageName, JSON.stringify(setup));
}
