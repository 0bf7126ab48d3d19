import { readHandover } from '../../api/playground-handover.ts';
import { decodeSetup, emptySetup, readSetup, readShared } from './setup.ts';
import type { Setup, SharedSetup } from './setup.ts';

const name = 'modelwire-playground';

/** The set-up to start with: of a link, of another page, or the last one of this browser. */
export function initialSetup(): SharedSetup {
  const encoded = new URLSearchParams(location.hash.slice(1)).get('setup');
  const linked = encoded === null ? undefined : decodeSetup(encoded);
  const passed = linked ?? readJson(readHandover(), readShared);
  return passed ?? { setup: readJson(localStorage.getItem(name), readSetup) ?? emptySetup, messages: [] };
}

function readJson<T>(text: string | null | undefined, read: (value: unknown) => T): T | undefined {
  try {
    return text === null || text === undefined ? undefined : read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function storeSetup(setup: Setup): void {
  localStorage.setItem(name, JSON.stringify(setup));
}
