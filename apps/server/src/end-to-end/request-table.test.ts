import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusedByPlain } from '../testing/request-row-effects.ts';
import { plainRows, simulatorRows } from '../testing/request-rows.ts';
import type { Row } from '../testing/request-row.ts';
import { startMinimalUpstream } from '../testing/minimal-upstream.ts';
import type { MinimalUpstream } from '../testing/minimal-upstream.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

/** Prints one page for any query, with the query in the title. */
const search = `let all = ''; process.stdin.on('data', (piece) => (all += piece)).on('end', () => {
  const { query, location } = JSON.parse(all);
  const title = query + ' in ' + (location?.city ?? 'no place');
  console.log(JSON.stringify({ results: [{ title, url: 'https://rivers.example/', text: 'The Rhine is long.' }] }));
})`;
const webSearch = { command: process.execPath, args: ['-e', search] };

let simulator: TestServer;
let plain: TestServer;
let upstream: MinimalUpstream;
beforeAll(async () => {
  upstream = await startMinimalUpstream();
  simulator = await startTestServer({ webSearch });
  plain = await startTestServer({ simulator: false, upstreams: [upstream.config], webSearch });
});
afterAll(async () => {
  await simulator.stop();
  await plain.stop();
  upstream.close();
});

test('the table has one row for each request field', async () => {
  const document = (await (await fetch(`${simulator.url}/openapi.json`)).json()) as {
    components: { schemas: Record<string, { properties: object }> };
  };
  const fields = Object.keys(document.components.schemas['ChatCompletionCreateParams']?.properties ?? {}).toSorted();
  expect(Object.keys(simulatorRows).toSorted()).toEqual(fields);
  expect([...Object.keys(plainRows), ...Object.keys(refusedByPlain)].toSorted()).toEqual(fields);
});

const entries = (rows: Readonly<Record<string, Row>>) => Object.entries(rows);

describe('the simulator honors', () => {
  test.each(entries(simulatorRows))('%s', async (_name, row) => {
    await row({ ...simulator, model: 'simulator', sent: [] });
  });
});

describe('for a minimal upstream, the server honors', () => {
  test.each(entries(plainRows))('%s', async (_name, row) => {
    upstream.asked.length = 0;
    await row({ ...plain, model: 'plain', sent: upstream.asked });
  });
});

describe('for a minimal upstream, the server refuses by name', () => {
  test.each(Object.entries(refusedByPlain))('%s', async (name, { more, param = name }) => {
    upstream.asked.length = 0;
    const asking = plain.client.chat.completions.create({
      ...{ model: 'plain', messages: [{ role: 'user', content: 'Hello' }] },
      ...more,
    });
    await expect(asking).rejects.toMatchObject({ status: 400, param });
    expect(upstream.asked).toHaveLength(0);
    const can: unknown = await plain.client.get('/capabilities/plain');
    expect(can).toHaveProperty(['parameters', name], 'refused');
  });
});
