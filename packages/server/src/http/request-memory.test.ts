import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { beginPost } from '../testing/begin-post.ts';
import { listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const mebibyte = 2 ** 20;

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('while an engine works on a request, the server holds its parsed body only, neither its bytes nor its text', async () => {
  const started = Promise.withResolvers<unknown>();
  const finish = Promise.withResolvers<unknown>();
  const engine = scriptedEngine(async function* () {
    started.resolve(undefined);
    await finish.promise;
    yield* says('ok');
  });
  const listening = await listen({ engines: [engine] });
  const before = usedBytes();
  const size = 8 * mebibyte;
  const send = () => {
    const body = `{"model":"scripted","messages":[{"role":"user","content":"${'a'.repeat(size)}"}]}`;
    return beginPost(listening, '/v1/chat/completions', body, body.length);
  };
  const connection = send();
  await started.promise;
  onTestFinished(() => finish.resolve(undefined));
  await expect.poll(() => (usedBytes() - before) / size).toBeLessThan(1.5);
  finish.resolve(undefined);
  await expect.poll(() => connection.received).toContain('"content":"ok"');
});
