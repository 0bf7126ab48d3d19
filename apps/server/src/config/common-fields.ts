import * as z from 'zod';

export const timeout = z.int().min(1);

/** Hosts, as `host:port`, that may have addresses that are not public. */
export const trustedHosts = z.array(
  z.string().regex(/^\[?[^\s/@?#]+\]?:\d{1,5}$/, 'a host and port, such as hooks.internal:8080'),
);

// Not checked further if it is no URL: `new URL` would throw.
const url = z.url({ protocol: /^https?$/, error: 'an http or https URL', abort: true });

/** Address of another server. */
export const serverURL = url.refine(hasNoCredentials, 'put the key in apiKey, not a user name or password in the URL');

/** Address below which there are others. */
export const plainURL = url.refine(
  (text) => hasNoCredentials(text) && !/[?#]/.test(text),
  'expected a URL without user name, password, query and fragment',
);

/** API key for another server. */
export const apiKeyFields = {
  apiKey: z.string().min(1).optional().describe('Sent as `Authorization: Bearer …`.'),
  apiKeyEnv: z.string().min(1).optional().describe('Name of the environment variable that contains the key.'),
};

/** Address and API key of another OpenAI-compatible server. */
export const remoteServerFields = {
  baseURL: serverURL.describe('Base URL, including the version prefix (`/v1`).'),
  ...apiKeyFields,
};

function hasNoCredentials(text: string): boolean {
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
