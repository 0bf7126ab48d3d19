import { startTestServer } from '@modelwire/testing';
import { apiKey, pieces } from '../payload.ts';
import { completionsAt } from './server.ts';
import type { Start } from './server.ts';

/** The test server with one rule that matches, like the one of aimock. */
export const start: Start = async () => {
  const { baseURL } = await startTestServer({
    apiKey,
    replies: [{ when: { message: /./ }, reply: { chunks: pieces } }],
  });
  return completionsAt(baseURL);
};
