import { LLMock } from '@copilotkit/aimock';
import { pieces, reply } from './payload.ts';
import type { Start } from './server.ts';

export const start: Start = async () => {
  // It splits by characters: five are a word and a space, which gives the same number of chunks.
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: Math.ceil(reply.length / pieces.length) });
  mock.onMessage(/./, { content: reply });
  return { base: `${await mock.start()}/v1`, headers: {} };
};
