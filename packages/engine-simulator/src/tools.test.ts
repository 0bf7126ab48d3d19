import type { ChatCompletionTool } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSimulator } from './simulator.ts';
import { collect, request } from './testing/requests.ts';

const engine = createSimulator();
beforeAll(() => engine.ready());

const text = { type: 'string' };
const number = { type: 'number' };
function tool(name: string, description: string, properties: Record<string, unknown>): ChatCompletionTool {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, description, parameters, strict: true } };
}
const weather = tool('get_weather', 'Get the weather for a location', {
  location: text,
  unit: { enum: ['celsius', 'fahrenheit'] },
});
const time = tool('get_current_time', 'Tells what time it is in a city', { city: text });
const tools = [
  weather,
  time,
  tool('calculator', 'Evaluate an arithmetic expression', { expression: text }),
  tool('add', 'Add two numbers', { a: number, b: number }),
  tool('send_email', 'Send an email', { to: { type: 'string', format: 'email' }, subject: text, body: text }),
  tool('search_web', 'Search the web', { query: text }),
  tool('book_flight', 'Books a flight', { origin: text, destination: text, date: text }),
];
const ask = (prompt: Parameters<typeof request>[0], overrides: Partial<ChatRequest> = {}) =>
  collect(engine, request(prompt, { tools, temperature: 0, ...overrides }));
/** The calls of the first choice, as `name {input}`. */
async function callsOf(...args: Parameters<typeof ask>): Promise<string[]> {
  return ((await ask(...args)).calls[0] ?? []).map(({ name, input }) => `${name} ${input}`);
}

describe('with auto', () => {
  test.each([
    ['What is the weather in Paris?', ['get_weather {"location":"Paris","unit":"celsius"}']],
    ['What is 17 * 23?', ['calculator {"expression":"17 * 23"}']],
    ['Add 2 and 3', ['add {"a":2,"b":3}']],
    ['Search the web for cats and dogs', ['search_web {"query":"cats and dogs"}']],
    [
      'Send an email to bob@x.org with the subject "Hello" saying that I am late',
      ['send_email {"to":"bob@x.org","subject":"Hello","body":"I am late"}'],
    ],
    [
      'Book a flight from Paris to Rome on 2026-05-01',
      ['book_flight {"origin":"Paris","destination":"Rome","date":"2026-05-01"}'],
    ],
    ['Hello!', []],
    ['Tell me about rivers', []],
    ['What is the capital of France?', []],
  ])('selects the tool by the words of the prompt: %s', async (prompt, calls) => {
    expect(await callsOf(prompt)).toEqual(calls);
  });

  test.each([
    [
      'What is the weather in Paris and what time is it in Tokyo?',
      ['get_weather {"location":"Paris","unit":"celsius"}', 'get_current_time {"city":"Tokyo"}'],
    ],
    [
      'What is the weather in Paris, London and New York City in fahrenheit?',
      ['Paris', 'London', 'New York City'].map((city) => `get_weather {"location":"${city}","unit":"fahrenheit"}`),
    ],
  ])('makes one call for each item of the prompt: %s', async (prompt, calls) => {
    expect(await callsOf(prompt)).toEqual(calls);
  });

  test.each([
    ['What is the weather in San Francisco, CA?', ['San Francisco, CA']],
    ['What is the weather in San Francisco, CA and in Paris?', ['San Francisco, CA', 'Paris']],
    ['What is the weather in 東京?', ['東京']],
  ])('a place with its state is one argument, in any script: %s', async (prompt, places) => {
    expect(await callsOf(prompt)).toEqual(
      places.map((place) => `get_weather {"location":"${place}","unit":"celsius"}`),
    );
  });

  test('a part that also occurs earlier in the prompt belongs to the input', async () => {
    expect(await callsOf('Add 23 and 3')).toEqual(['add {"a":23,"b":3}']);
  });

  test.each(['你好啊集团', 'こんにちは株式会社', 'شركة النور'])(
    'a quoted name in any script is an argument: %s',
    async (name) => {
      const parameters = { type: 'object', properties: { customer_name: text }, required: ['customer_name'] };
      const tools = [{ type: 'function' as const, function: { name: 'create_customer', parameters } }];
      const prompt = `Create a customer named '${name}' (Hello Group) - a technology company`;
      expect(await callsOf(prompt, { tools })).toEqual([`create_customer {"customer_name":"${name}"}`]);
    },
  );

  test('with parallel_tool_calls: false, makes the next call after the result of the previous one', async () => {
    const prompt = 'What is the weather in Paris and what time is it in Tokyo?';
    const one = { parallel_tool_calls: false };
    expect(await callsOf(prompt, one)).toEqual(['get_weather {"location":"Paris","unit":"celsius"}']);
    const messages = conversationWithResults(prompt, ['get_weather', '{}', '{"temperature":18}']);
    expect(await callsOf(messages, one)).toEqual(['get_current_time {"city":"Tokyo"}']);
  });

  test('the result of a tool is repeated, and the tool is not called again', async () => {
    const messages = conversationWithResults('What is the weather in Paris?', [
      'get_weather',
      '{"location":"Paris","unit":"celsius"}',
      '{"temperature":18,"sky":"clear"}',
    ]);
    const { texts, finishes } = await ask(messages);
    expect(texts[0]).toMatch(/^According to get_weather \(Paris, celsius\), temperature is 18 and sky is clear\./);
    expect(finishes).toEqual(['stop']);
    const plain = conversationWithResults('What is the weather in Paris?', ['get_weather', '{}', 'Sunny, they say.']);
    expect((await ask(plain)).texts[0]).toContain('“Sunny, they say”');
  });

  test('results of tools are used for fields and inputs of the same name', async () => {
    const messages = conversationWithResults('What is the weather in Paris?', [
      'get_weather',
      '{}',
      '{"temperature":18,"sky":"clear"}',
    ]);
    const schema = { type: 'object', properties: { temperature: number, sky: text }, required: ['temperature', 'sky'] };
    const { texts } = await ask(messages, {
      response_format: { type: 'json_schema', json_schema: { name: 'r', schema } },
    });
    expect(JSON.parse(texts[0] ?? '')).toEqual({ temperature: 18, sky: 'clear' });
  });
});

function conversationWithResults(
  prompt: string,
  ...calls: [name: string, input: string, answer: string][]
): ChatRequest['messages'] {
  return [
    { role: 'user', content: prompt },
    {
      role: 'assistant',
      tool_calls: calls.map(([name, input], index) => ({
        ...{ id: `call_${index}`, type: 'function', function: { name, arguments: input } },
      })),
    },
    ...calls.map(([, , content], index) => ({ role: 'tool' as const, tool_call_id: `call_${index}`, content })),
  ];
}

describe('tool_choice', () => {
  test('none calls nothing', async () => {
    expect(await callsOf('What is the weather in Paris?', { tool_choice: 'none' })).toEqual([]);
  });

  test('required calls the best matching tool, or the first one if none matches', async () => {
    expect(await callsOf('Hello!', { tool_choice: 'required' })).toEqual([
      expect.stringMatching(/^get_weather \{"location":".*","unit":"celsius"\}$/),
    ]);
    expect(await callsOf('Weather in Oslo', { tool_choice: 'required', tools: [time, weather] })).toEqual([
      'get_weather {"location":"Oslo","unit":"celsius"}',
    ]);
  });

  test('a named function is called once, and the reply finishes with tool_calls', async () => {
    const tool_choice = { type: 'function', function: { name: 'get_current_time' } } as const;
    const { calls, finishes } = await ask('What is the weather in Paris and London?', { tool_choice });
    expect(calls[0]?.map(({ name, input }) => [name, input])).toEqual([['get_current_time', '{"city":"Paris"}']]);
    expect(finishes).toEqual(['tool_calls']);
  });

  test('allowed_tools restricts the tools, with auto and required', async () => {
    const allowed = (mode: 'auto' | 'required') => ({
      tool_choice: {
        type: 'allowed_tools' as const,
        allowed_tools: { mode, tools: [{ type: 'function' as const, function: { name: 'get_current_time' } }] },
      },
    });
    expect(await callsOf('What is the weather in Paris?', allowed('auto'))).toEqual([]);
    expect(await callsOf('What time is it in Oslo?', allowed('auto'))).toEqual(['get_current_time {"city":"Oslo"}']);
    expect(await callsOf('What is the weather in Paris?', allowed('required'))).toEqual([
      'get_current_time {"city":"Paris"}',
    ]);
  });
});

describe('a call', () => {
  test('begins with a random ID and its name, followed by its input token by token', async () => {
    const { all, calls, usage } = await ask('What is the weather in Paris and London?', { n: 2, seed: 1 });
    const ids = calls.flat().map(({ id }) => id);
    expect(ids.every((id) => /^call_\w{24}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(4);
    const first = all.filter((event) => 'choice' in event && event.choice === 0);
    expect(first.slice(0, 3)).toMatchObject([
      { type: 'tool_call', index: 0, kind: 'function', name: 'get_weather' },
      { type: 'tool_input', index: 0, kind: 'function', text: '{"' },
      { type: 'tool_input', index: 0, text: 'location' },
    ]);
    expect(first.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
    const inputs = first.flatMap((event) => (event.type === 'tool_input' ? [event.tokens ?? 1] : []));
    // Each call also costs the two tokens of its name.
    expect(usage?.completion_tokens).toBe(inputs.reduce((sum, one) => sum + one, 0) + 2 * 2);
  });

  test('is valid for its schema at any temperature, and at any sufficient limit', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { calls } = await ask('What is the weather in Paris?', { temperature: 2, seed, max_completion_tokens: 30 });
      expect(JSON.parse(calls[0]?.[0]?.input ?? '')).toEqual({
        location: expect.any(String) as string,
        unit: expect.stringMatching(/^(celsius|fahrenheit)$/) as string,
      });
    }
    const { finishes, calls } = await ask('What is the weather in Paris?', { max_completion_tokens: 2 });
    expect([finishes, calls]).toEqual([['length'], [[]]]);
  });

  test('of a function without parameters is {}; of a function that is not strict, it contains the fields that the prompt names', async () => {
    expect(await callsOf('Look', { tools: [{ type: 'function', function: { name: 'look' } }] })).toEqual(['look {}']);
    const parameters = { type: 'object', properties: { city: text, days: number, note: text }, required: ['city'] };
    const forecast: ChatCompletionTool = { type: 'function', function: { name: 'forecast', parameters } };
    expect(await callsOf('Forecast for 3 days in Rome', { tools: [forecast] })).toEqual([
      'forecast {"city":"Rome","days":3}',
    ]);
  });

  test('of a function that is not strict is still an object if its schema cannot be enforced', async () => {
    const parameters = { type: 'object', properties: { city: text }, not: { required: ['x'] } };
    const invalidTool: ChatCompletionTool = { type: 'function', function: { name: 'forecast', parameters } };
    expect(await callsOf('Forecast for Rome', { tools: [invalidTool] })).toEqual(['forecast {"city":"Rome"}']);
  });

  test('a strict function whose schema cannot be enforced is rejected with its path, even if it is not called', async () => {
    const wrong = tool('unenforceable', '', { city: { type: 'string', pattern: '(?=x)' } });
    const refused = ask('Hello!', { tools: [weather, wrong], tool_choice: 'none' });
    await expect(refused).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid_json_schema', param: 'tools[1].function.parameters.properties.city.pattern' },
    });
  });
});

describe('a custom tool', () => {
  const custom = (name: string, format?: Extract<ChatCompletionTool, { type: 'custom' }>['custom']['format']) =>
    ({ type: 'custom', custom: { name, description: 'Runs it', ...(format && { format }) } }) as const;
  const grammar = (syntax: 'lark' | 'regex', definition: string) =>
    ({ type: 'grammar', grammar: { syntax, definition } }) as const;
  const sums = custom(
    'math_exp',
    grammar(
      'lark',
      'start: expr\nexpr: term (SP ("+"|"-") SP term)*\nterm: factor (SP ("*"|"/") SP factor)*\nfactor: INT\nSP: " "\n%import common.INT',
    ),
  );

  test('receives free text: a quotation, the text after a colon, or the whole prompt', async () => {
    const tools = [custom('run_code')];
    expect(await callsOf('Run this code: print(1 + 1)', { tools })).toEqual(['run_code print(1 + 1)']);
    expect(await callsOf('Use run_code to say "hello world"', { tools })).toEqual(['run_code hello world']);
  });

  test('receives text of its grammar: the longest matching sequence of words, or a shortest text', async () => {
    expect(await callsOf('Use the math_exp tool to add four plus four: 4 + 4', { tools: [sums] })).toEqual([
      'math_exp 4 + 4',
    ]);
    expect(await callsOf('With math_exp, what is 12 plus 30 times 2?', { tools: [sums] })).toEqual([
      'math_exp 12 + 30 * 2',
    ]);
    expect(await callsOf('math_exp, please', { tools: [sums] })).toEqual([expect.stringMatching(/^math_exp \d$/)]);
    const stamp = custom('timestamp', grammar('regex', '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}'));
    expect(await callsOf('Timestamp for 2026-03-01 10:30 please', { tools: [stamp] })).toEqual([
      'timestamp 2026-03-01 10:30',
    ]);
  });

  test('receives text of its grammar at any temperature', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { calls } = await ask('math_exp 1 + 2 * 3', { tools: [sums], temperature: 2, seed });
      expect(calls[0]?.[0]?.input).toMatch(/^\d+(?: [-+*/] \d+)*$/);
    }
  });

  test('is rejected if the grammars of a request exceed the limit of work', async () => {
    const count = 40;
    const tools = Array.from({ length: count }, (_, i) => custom(`t${i}`, grammar('regex', `${i}(a|b)*a(a|b){11}`)));
    const refused = ask('Hello!', { tools, tool_choice: 'none' });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_grammar' });
    const { param, message } = (await refused.catch((error: unknown) => error)) as { param: string; message: string };
    const index = Number(/^tools\[(\d+)\]\.custom\.format\.grammar\.definition$/.exec(param)?.[1]);
    expect(index).toBeGreaterThan(2);
    expect(message).toContain(`custom tool 't${index}'`);
    expect(message).toContain('more than 9,000,000 steps');
  });

  test('can be selected by name; an invalid grammar is rejected with line and column', async () => {
    const tool_choice = { type: 'custom', custom: { name: 'math_exp' } } as const;
    expect(await callsOf('Hello!', { tools: [weather, sums], tool_choice })).toEqual([
      expect.stringMatching(/^math_exp \d$/),
    ]);
    for (const [syntax, definition] of [
      ['lark', 'start: "a" |\n  missing'],
      ['regex', '(?=a)'],
    ] as const) {
      const refused = ask('Hello!', { tools: [custom('odd', grammar(syntax, definition))] });
      await expect(refused).rejects.toMatchObject({
        ...{ status: 400, code: 'invalid_grammar', param: 'tools[0].custom.format.grammar.definition' },
        message: expect.stringMatching(/line \d, column \d/) as string,
      });
    }
  });
});
