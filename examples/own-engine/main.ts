// Your own service: an engine in a dozen lines, served with the complete API.
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Modelwire } from '@modelwire/client';
import { capabilities } from '@modelwire/ports';
import { createServer } from '@modelwire/server';
import { nodeListener } from '@modelwire/server/node';
import type { ChatEngine } from '@modelwire/ports';

const echo: ChatEngine = {
  name: 'echo',
  models: () => [{ id: 'echo', created: 1_767_225_600, owned_by: 'me', capabilities: capabilities() }],
  async *generate({ messages }) {
    const { content } = messages.at(-1) ?? {};
    const words = typeof content === 'string' ? content.split(/(?<= )/) : ['Text', ' only'];
    for (const text of words.reverse()) yield { type: 'text', choice: 0, text: `${text.trim()} ` };
    yield { type: 'finish', choice: 0, reason: 'stop' };
  },
};

const apiKey = 'a-long-secret';
const server = createServer({ engines: [echo], keys: [apiKey] });
const http = createHttp(nodeListener(server));
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const { port } = http.address() as AddressInfo;
console.log('serves the API on a free port');

// Any OpenAI client works; this is the client of this project.
const client = new Modelwire({ apiKey, baseURL: `http://127.0.0.1:${port}/v1` });
const stream = client.chat.completions.stream({
  model: 'echo',
  messages: [{ role: 'user', content: 'the sea to run rivers' }],
});
for await (const piece of stream.text()) process.stdout.write(piece);
const refused = await client.chat.completions
  .create({ model: 'echo', messages: [{ role: 'user', content: 'hi' }], logprobs: true })
  .catch((error: unknown) => error);
console.log(`\n-- ${refused instanceof Error ? refused.message : 'honoured'}`);

await server.close();
http.close();
http.closeAllConnections();
