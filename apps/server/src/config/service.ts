import * as z from 'zod';

export const timeout = z.int().min(1);

/** Where somebody else's service of this interface is, and its key. */
export const service = {
  baseURL: z
    .url({ protocol: /^https?$/ })
    .refine(withoutPassword, 'use apiKey, not a user name or password in the URL')
    .describe('With the version prefix.'),
  apiKey: z.string().min(1).optional(),
  apiKeyEnv: z.string().min(1).optional().describe('Name of the environment variable that holds the key.'),
};

export function withoutPassword(text: string): boolean {
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
