// The published server kit and client in one process without a port, on the runtime that runs this file.
import { createChat } from '@modelwire/chat';
import { createSimulator } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';

const server = createServer({ engines: [createSimulator()], keys: ['a-key-of-twenty-letters'] });
const fetch = (input, init) => Promise.resolve(server.fetch(new Request(input, init)));
const chat = createChat({ baseURL: 'http://inside.test/v1', apiKey: 'a-key-of-twenty-letters', fetch });
const stream = chat.completions.stream({ model: 'simulator', messages: [{ role: 'user', content: 'Hello' }] });
let pieces = 0;
for await (const text of stream.text()) pieces += text.length > 0 ? 1 : 0;
if (stream.state !== 'finished') throw new Error(stream.state);
console.log(`${pieces} pieces`);
