import { expect, test } from 'vitest';
import { parseChatCompletionCreate } from '../chat/parse.ts';
import { contract } from '../contract.ts';
import { parseRequest } from './parse.ts';
import { parseResponseCreate } from '../responses/parse.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const chat = (body: object) => parseChatCompletionCreate({ model: 'm', messages, ...body });
const response = (body: object) => parseResponseCreate({ model: 'm', input: 'Hello', ...body });
const image = { type: 'image_url', image_url: { url: 'https://a.b/c.png', detial: 'low' } };
const schema = { type: 'json_schema', json_schema: { name: 'a', schema: {}, strickt: true } };

test.each([
  [chat({ temprature: 1 }), 'temprature', 'temperature'],
  [chat({ maxTokens: 1 }), 'maxTokens', 'max_tokens'],
  [
    chat({ stream: true, stream_options: { include_usgae: true } }),
    'stream_options.include_usgae',
    'stream_options.include_usage',
  ],
  [
    chat({ messages: [{ role: 'user', contnet: 'Hello', content: 'Hello' }] }),
    'messages[0].contnet',
    'messages[0].content',
  ],
  [
    chat({ messages: [{ role: 'user', content: [image] }] }),
    'messages[0].content[0].image_url.detial',
    'messages[0].content[0].image_url.detail',
  ],
  [chat({ response_format: schema }), 'response_format.json_schema.strickt', 'response_format.json_schema.strict'],
  [
    chat({ tools: [{ type: 'function', function: { name: 'a', paramters: {} } }] }),
    'tools[0].function.paramters',
    'tools[0].function.parameters',
  ],
  [response({ previous_respons_id: 'resp_1' }), 'previous_respons_id', 'previous_response_id'],
  [response({ reasoning: { efort: 'low' } }), 'reasoning.efort', 'reasoning.effort'],
  [
    response({ text: { format: { type: 'json_schema', schema: {}, name: 'a', descripton: 'b' } } }),
    'text.format.descripton',
    'text.format.description',
  ],
  [
    parseRequest(contract['embeddings.create'].request[0]?.schema ?? fail(), { model: 'm', input: 'a', dimension: 2 }),
    'dimension',
    'dimensions',
  ],
])('an unknown field gets the name of a similar one as a suggestion: %#', (parsed, unknown, suggested) => {
  expect(parsed).toMatchObject({
    problem: {
      code: 'unknown_parameter',
      param: unknown,
      message: `Unknown parameter: '${unknown}'. Did you mean '${suggested}'?`,
    },
  });
});

test('the error of a missing field names one whose name is similar', () => {
  expect(parseChatCompletionCreate({ modle: 'm', messages })).toMatchObject({
    problem: {
      code: 'missing_required_parameter',
      param: 'model',
      message: "Missing required parameter: 'model'. Did you mean 'model' instead of 'modle'?",
    },
  });
  expect(chat({ tools: [{ type: 'function', function: { nmae: 'a' } }] })).toMatchObject({
    problem: {
      param: 'tools[0].function.name',
      message: "Missing required parameter: 'tools[0].function.name'. Did you mean 'name' instead of 'nmae'?",
    },
  });
  expect(parseChatCompletionCreate({ user: 'a', messages })).toMatchObject({
    problem: { message: "Missing required parameter: 'model'." },
  });
});

test('only fields of the form that the type selects are suggested', () => {
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a', detial: 'low' }] };
  // `detail` is a field of images; unknown fields of items are ignored.
  expect(response({ input: [item] })).toMatchObject({ ok: true });
  const tools = [{ type: 'custom', custom: { name: 'a', paramters: {} } }];
  expect(chat({ tools })).toMatchObject({ problem: { message: "Unknown parameter: 'tools[0].custom.paramters'." } });
});

test('a field that resembles none gets no suggestion, whatever its name', () => {
  for (const name of ['colour', 'x'.repeat(100_000), 'toString', 'hasOwnProperty', '', '\u0000']) {
    const parsed = chat({ [name]: 1 });
    expect(parsed).toMatchObject({ ok: false, problem: { code: 'unknown_parameter' } });
    expect(JSON.stringify(parsed)).not.toContain('Did you mean');
  }
});

function fail(): never {
  throw new Error('The endpoint takes no body.');
}
