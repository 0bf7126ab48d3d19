const name = 'modelwire-playground-open';

/** Passes a set-up and messages to the playground of this tab, which is opened next. */
export function storeHandover(shared: { readonly setup: object; readonly messages: readonly object[] }): void {
  sessionStorage.setItem(name, JSON.stringify(shared));
}

/** What was passed, as JSON; it is removed. `undefined` if nothing was. */
export function takeHandover(): string | undefined {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return text ?? undefined;
}
