import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { streamedReply, wholeReply } from './payload.ts';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** The framework of Modelwire's web adapter alone: parses the body, sends a fixed reply, all events in one write. */
export const start: Start = () => {
  const app = new Hono();
  const events = streamedReply.join('');
  app.post('/v1/chat/completions', async ({ req }) => {
    const body: unknown = JSON.parse(await req.raw.text());
    const streamed = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
    return streamed
      ? new Response(events, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
      : new Response(wholeReply, { headers: { 'content-type': 'application/json' } });
  });
  return listen(createAdaptorServer({ fetch: (request) => app.fetch(request) }));
};
