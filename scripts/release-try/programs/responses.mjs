// Streams a response with the published client and continues it with the result of a tool, on the runtime that runs this file.
// Arguments: base URL, key.
import { createEmbeddings, createResponses } from '@modelwire/responses';
import { runTools, tool } from '@modelwire/responses/tools';

const args = globalThis.Deno?.args ?? process.argv.slice(2);
const [baseURL, apiKey] = args;
const responses = createResponses({ baseURL, apiKey });

const stream = responses.stream({ model: 'simulator', input: 'Tell me about rivers.' });
let streamed = '';
for await (const text of stream.text()) streamed += text;
const { id, output_text } = await stream.final();
if (streamed === '' || streamed !== output_text) throw new Error(`the stream is not whole: ${stream.state}`);

const parameters = {
  '~standard': { version: 1, vendor: 'release-try', validate: (value) => ({ value }) },
};
const jsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const weather = tool({ name: 'weather', parameters, jsonSchema, run: ({ city }) => `Rain in ${city}` });
const run = runTools(responses, {
  model: 'simulator',
  input: 'What is the weather in Paris?',
  previous_response_id: id,
  tools: [weather],
  tool_choice: { type: 'function', name: 'weather' },
});
const { steps, outcome } = await run.final();
if (steps !== 2 || outcome.type !== 'parsed') throw new Error(`the run ended after ${steps} steps: ${outcome.type}`);

const embeddings = createEmbeddings({ baseURL, apiKey });
const { data } = await embeddings.create({ model: 'simulator-embedding', input: 'rivers', encoding_format: 'base64' });
if (data[0].embedding.length !== 256) throw new Error(`the embedding has ${data[0].embedding.length} numbers`);
console.log(`${streamed.length} characters, ${steps} steps, ${data[0].embedding.length} dimensions`);
