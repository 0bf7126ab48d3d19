import { createTransport, Modelwire } from '@modelwire/client';
import { apiBaseURL, consoleURL } from './urls.ts';
import { sendWithSession } from './csrf.ts';

/** The client of the public API. Authenticated by the session cookie. */
export const api = new Modelwire({ baseURL: apiBaseURL, fetch: sendWithSession, maxRetries: 1 });

/** The console's own endpoints: session, status, usage. */
export const consoleApi = createTransport({
  baseURL: new URL('api', consoleURL).href,
  fetch: sendWithSession,
  maxRetries: 1,
});
