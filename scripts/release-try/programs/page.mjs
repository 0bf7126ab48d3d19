// Serves a page with the bundled client, and /v1 of the server at the same origin. Arguments: server URL, key. Prints its own URL, and the
// state that the page sends.
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';

const [upstream, key] = process.argv.slice(2);
const page = `<!doctype html><meta charset="utf-8"><title>chat</title><p id="said"></p><p id="state">running</p>
<script>globalThis.modelwireKey = ${JSON.stringify(key)}</script><script type="module" src="/app.js"></script>`;

const server = createServer(async (incoming, outgoing) => {
  if (incoming.url === '/') return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page);
  if (incoming.url === '/app.js') {
    outgoing.writeHead(200, { 'content-type': 'text/javascript' });
    return void outgoing.end(readFileSync(new URL('./app.js', import.meta.url)));
  }
  if (incoming.url === '/state') {
    const state = Buffer.concat(await Array.fromAsync(incoming)).toString();
    console.log(`state ${state.replaceAll('\n', ' ')}`);
    return void outgoing.writeHead(204).end();
  }
  if (!incoming.url.startsWith('/v1/')) return void outgoing.writeHead(404).end();
  const { method, headers } = incoming;
  const onward = request(upstream + incoming.url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log(`page http://127.0.0.1:${server.address().port}/`));
