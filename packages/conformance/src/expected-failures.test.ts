import { expect, test } from 'vitest';
import { parseExpectedFailures, renderExpectedFailures, runConformance } from './index.ts';
import type { ConformanceOptions } from './index.ts';

const only = ['models.list'];
const file = `# A comment

models.list/status # not yet
models.list/served # see #7 # and #8
`;

const run = (status: number, options: Partial<ConformanceOptions> = {}) =>
  runConformance({
    baseURL: 'http://server.invalid/v1',
    only,
    fetch: async (input) =>
      new URL(new Request(input).url).pathname === '/v1/models'
        ? Response.json({ object: 'list', data: [] }, { status })
        : Response.json({}, { status: 404 }),
    ...options,
  });

test('reads IDs with reasons, and names a line that has none', () => {
  expect([...parseExpectedFailures(file)]).toEqual([
    ['models.list/status', 'not yet'],
    ['models.list/served', 'see #7 # and #8'],
  ]);
  expect(() => parseExpectedFailures('models.list/status not yet')).toThrow('line 1');
});

test('the report lists failures that are not expected, and passes that are not', async () => {
  const first = await run(500);
  expect(first.unexpected.failures).toContain('models.list/status');
  const expectedFailures = parseExpectedFailures(renderExpectedFailures(first));
  expect([...expectedFailures.keys()].sort()).toEqual([...first.unexpected.failures].sort());

  const same = await run(500, { expectedFailures });
  expect(same.unexpected).toEqual({ failures: [], passes: [] });
  expect(same.counts).toEqual(first.counts);

  const better = await run(200, { expectedFailures });
  expect(better.unexpected.passes).toContain('models.list/status');
  expect(better.notes).toContainEqual(expect.stringMatching(/pass, but are expected to fail: .*models\.list\/status/));
});

test('a rewritten file keeps reasons and checks of other runs, and drops what passes', async () => {
  const previous = parseExpectedFailures(`${file}files.list/status # another run\n`);
  const failing = renderExpectedFailures(await run(500), previous);
  expect(failing).toContain('models.list/status # not yet\n');
  const passing = renderExpectedFailures(await run(200), previous);
  expect(passing).toContain('files.list/status # another run\n');
  expect(passing).not.toContain('models.list/status');
});
