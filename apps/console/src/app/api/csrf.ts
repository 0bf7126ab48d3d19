let token: string | undefined;

/** Sets the CSRF token of the session; `undefined` when there is no session. */
export function setCsrfToken(value: string | undefined): void {
  token = value;
}

/** Sends a request with the session cookie, and with the CSRF token if the method is unsafe. */
export function sendWithSession(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined && token !== '' && init.method !== 'GET') headers.set('x-csrf-token', token);
  return fetch(url, { ...init, headers, credentials: 'same-origin' });
}
