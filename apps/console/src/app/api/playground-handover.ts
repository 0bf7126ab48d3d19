const name = 'modelwire-playground-open';

/** Passes a set-up and messages to the playground of this tab, which is opened next. */
export function storeHandover(shared: { readonly setup: object; readonly messages: readonly object[] }): void {
  sessionStorage.setItem(name, JSON.stringify(shared));
}

/** What was passed, as JSON; `undefined` if nothing was. Does not remove it: React may run the initializer of a state twice. */
export function readHandover(): string | undefined {
  return sessionStorage.getItem(name) ?? undefined;
}

/** Removes the passed conversation when the playground has shown it. */
export function clearHandover(): void {
  sessionStorage.removeItem(name);
}
