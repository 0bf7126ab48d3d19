const prefix = 'modelwire-personal:';

let ownerPrefix = prefix;

/** Begins to keep values of this key or person, and removes those of all others: several people may use this browser. */
export function openPersonalStorage(ownerId: string): void {
  ownerPrefix = `${prefix}${encodeURIComponent(ownerId)}:`;
  removeWhere((key) => !key.startsWith(ownerPrefix));
}

/** Removes the values of everyone. */
export function clearPersonalStorage(): void {
  removeWhere(() => true);
}

/** What this browser keeps of the key or person that is signed in, until they sign out or another one signs in. */
export const personalStorage = {
  read: (name: string): string | null => localStorage.getItem(ownerPrefix + name),
  write(name: string, value: string): void {
    try {
      localStorage.setItem(ownerPrefix + name, value);
    } catch {
      // The storage of the browser is full: the previous value stays.
    }
  },
  remove: (name: string): void => localStorage.removeItem(ownerPrefix + name),
  names: (): readonly string[] =>
    personalKeys()
      .filter((key) => key.startsWith(ownerPrefix))
      .map((key) => key.slice(ownerPrefix.length)),
};

function personalKeys(): readonly string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
}

function removeWhere(isRemoved: (key: string) => boolean): void {
  for (const key of personalKeys()) if (isRemoved(key)) localStorage.removeItem(key);
}
