import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { writeNode } from './node-outgoing.ts';

function exchange() {
  const request = new IncomingMessage(new Socket());
  request.complete = true;
  return { request, response: new ServerResponse(request) };
}

test('an answer that cannot be ended keeps none of the same turn from being sent', async () => {
  const [first, second] = [exchange(), exchange()];
  const failure = new Error('wrapped by somebody');
  first.response.end = () => {
    throw failure;
  };
  const report = vi.fn();
  for (const { request, response } of [first, second]) {
    writeNode({ status: 200, headers: {}, body: 'Hi' }, request, response, { waits: false, report });
  }
  await new Promise(setImmediate);
  expect(report.mock.calls).toEqual([['an answer could not be written', failure]]);
  expect([first.response.destroyed, second.response.writableEnded]).toEqual([true, true]);
});
