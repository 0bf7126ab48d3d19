import { expect, onTestFinished, test, vi } from 'vitest';
import { inPieces, readJsonRequest, renameModel } from './model-in-body.ts';

const read = (text: string) => readJsonRequest(Buffer.from(text), false);

test.each([
  ['a string', '{"input":[1,2],"model":"a"}', 'a'],
  ['an escaped name', '{"\\u006dodel":"a"}', 'a'],
  ['escaped quotes', '{"input":"\\\\\\"\\\\","model":"a\\"b"}', 'a"b'],
  ['text that looks like a member', '{"input":"\\"model\\":\\"x\\"","a":"model"}', undefined],
  ['a member further inside', '{"a":{"model":"x"},"b":[{"model":"y"}]}', undefined],
  ['no text', '{"model":null}', undefined],
  ['a long text', `{"model":"${'x'.repeat(2000)}"}`, undefined],
  ['an array', '[{"model":"a"}]', undefined],
  ['no bytes', '', undefined],
])('reads the model of a body: %s', async (_, text, model) => {
  expect((await read(text)).model).toBe(model);
});

test.each([
  '{"model":"a","model":"b"}',
  '{"model":"a","mod\\u0065l":"b"}',
  '{"model":"a","MODEL":"b"}',
  '{"model":"a","model":null}',
])('a body that names the model twice is a 400: %s', async (text) => {
  await expect(read(text)).rejects.toMatchObject({ status: 400, param: 'model' });
});

test.each(['{"model":', '{"model":"a"}{}', "{'model':'a'}", '{"model":"a"//\n}', '{"a":1e999}'])(
  'a body that no parser reads exactly is a 400: %s',
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({ status: 400 });
  },
);

test('another name of the model leaves everything else as it was', async () => {
  const rest =
    '"seed":12345678901234567890,"2":[0.1,1e-7,-0],"1":{"b":"é\\ud800","10":null,"9":true},"__proto__":{"a":1}';
  const renamed = await renameModel(await read(`{"model":"small",${rest}}`), 'large"');
  expect(Buffer.from(renamed).toString()).toBe(`{"model":"large\\"",${rest}}`);
});

test('a long body is read and passed on with turns of the event loop', async () => {
  const text = `{"documents":["${'a\\"'.repeat(700_000)}"],"model":"small","query":"b"}`;
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const renamed = await renameModel(await read(text), 'large');
  const turnsOfReading = turns;
  let received = '';
  for await (const piece of inPieces(renamed)) received += Buffer.from(piece).toString();
  clearImmediate(next);
  expect(received).toBe(text.replace('"small"', '"large"'));
  expect(turnsOfReading).toBeGreaterThanOrEqual(3);
  expect(turns - turnsOfReading).toBeGreaterThanOrEqual(20);
});

/** Reads a body and returns how many characters of it were looked at. */
async function charactersReadOf(text: string): Promise<number> {
  const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
  const indexOf = vi.spyOn(String.prototype, 'indexOf');
  await read(text);
  const searched = indexOf.mock.calls.map(([, from = 0], call) => {
    const found = indexOf.mock.results[call]?.value as number;
    return (found === -1 ? text.length : found) - from;
  });
  const count = charCodeAt.mock.calls.length + searched.reduce((sum, each) => sum + each, 0);
  vi.restoreAllMocks();
  return count;
}

test.each(['\\n', '\\\\', '\\"', '\\u0041'])(
  'a body of many %s is read in proportion to its length',
  async (escape) => {
    onTestFinished(() => void vi.restoreAllMocks());
    const charactersOf = (count: number) => charactersReadOf(`{"a":"${escape.repeat(count)}","model":"m"}`);
    const [short, long] = [await charactersOf(4000), await charactersOf(16_000)];
    expect(short).toBeGreaterThan(4000);
    expect(long / short).toBeLessThan(4.5);
  },
);
