const storageKey = 'modelwire-playground-open';

/** Stores a set-up and messages for the playground, which is opened next in this tab. */
export function storeHandover(conversation: { readonly setup: object; readonly messages: readonly object[] }): void {
  sessionStorage.setItem(storageKey, JSON.stringify(conversation));
}

/** The stored conversation as JSON; `undefined` if there is none. Does not remove it: React may run the initializer of a state twice. */
export function readHandover(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? undefined;
}

/** Removes the stored conversation after the playground has shown it. */
export function clearHandover(): void {
  sessionStorage.removeItem(storageKey);
}
