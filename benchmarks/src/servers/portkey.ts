import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@modelwire/ports/testing';
import type { Start } from './server.ts';

/** Its start script reads `process.argv` and does not report when it listens. */
export const start: Start = async ({ upstream }) => {
  const port = await freePort();
  process.argv.push('--headless', `--port=${port}`);
  const script: string = '@portkey-ai/gateway/build/start-server.js';
  await import(script);
  const base = `http://127.0.0.1:${port}/v1`;
  while (!(await fetch(base).catch(() => undefined))) await sleep(100);
  return { base, headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream } };
};
