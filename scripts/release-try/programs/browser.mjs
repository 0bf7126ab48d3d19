// A small web app that streams a chat, shows it, and tells its server how it ended. It is bundled before it is served.
import { createChat } from '@modelwire/chat';

const show = (id, text) => (document.getElementById(id).textContent = text);
let state;
try {
  const chat = createChat({ baseURL: `${location.origin}/v1`, apiKey: globalThis.modelwireKey });
  const stream = chat.completions.stream({ model: 'simulator', messages: [{ role: 'user', content: 'Hello' }] });
  let pieces = 0;
  let said = '';
  for await (const text of stream.text()) {
    pieces++;
    show('said', (said += text));
  }
  const { choices } = await stream.final();
  const same = choices[0].message.content === said;
  state = `${stream.state}, ${same && said !== '' ? 'whole' : 'torn'}, ${pieces} pieces`;
} catch (error) {
  state = `failed: ${error}`;
}
show('state', state);
await fetch('/state', { method: 'POST', body: state });
