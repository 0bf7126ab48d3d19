// A small web app that streams a chat and shows it. It is bundled before it is served.
import { createChat } from '@modelwire/chat';

const show = (id, text) => (document.getElementById(id).textContent = text);
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
  show('state', `${stream.state}, ${same ? 'whole' : 'torn'}, ${pieces} pieces`);
} catch (error) {
  show('state', `failed: ${error}`);
}
