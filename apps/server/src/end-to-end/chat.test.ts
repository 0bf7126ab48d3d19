import { afterAll, beforeAll } from 'vitest';
import { describeChatScenario } from '../testing/chat-scenario.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let inner: TestServer;
let outer: TestServer;

beforeAll(async () => {
  inner = await startTestServer();
  // A second Modelwire server in front of the first: it forwards requests that it does not handle itself.
  outer = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL: `${inner.url}/v1`, apiKey: key }],
    models: { 'house-model': { upstreamModel: 'simulator' } },
  });
});
afterAll(async () => {
  await outer.stop();
  await inner.stop();
});

describeChatScenario('in front of the embedded model', {
  url: () => inner.url,
  client: () => inner.client,
  model: 'simulator',
});
describeChatScenario('in front of a second instance', {
  url: () => outer.url,
  client: () => outer.client,
  model: 'house-model',
});
