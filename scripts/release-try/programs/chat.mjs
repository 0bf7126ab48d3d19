// Chats with the published client, whole and streamed, on the runtime that runs this file. Arguments: base URL, key.
import { createChat } from '@modelwire/chat';

const args = globalThis.Deno?.args ?? process.argv.slice(2);
const [baseURL, apiKey] = args;
const chat = createChat({ baseURL, apiKey });
const request = { model: 'simulator', messages: [{ role: 'user', content: 'Tell me about rivers.' }] };

const whole = await chat.completions.create(request);
const stream = chat.completions.stream({ ...request, seed: 1 });
let streamed = '';
let pieces = 0;
for await (const text of stream.text()) {
  streamed += text;
  pieces++;
}
const { choices } = await stream.final();
const fine =
  whole.choices[0].message.content.length > 0 && streamed === choices[0].message.content && stream.state === 'finished';
if (!fine || pieces < 2) throw new Error(`the stream is not whole: ${pieces} pieces, ${stream.state}`);
console.log(`${pieces} pieces, ${streamed.length} characters`);
