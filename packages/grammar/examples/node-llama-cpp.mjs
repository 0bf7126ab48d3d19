// Generates JSON that matches a schema with a GGUF model: node node-llama-cpp.mjs <model.gguf>
// Needs: npm install @modelwire/grammar node-llama-cpp
import { compileJsonSchema, createTokenMasker } from '@modelwire/grammar';
import { getLlama } from 'node-llama-cpp';

const grammar = compileJsonSchema({
  type: 'object',
  properties: { city: { type: 'string', maxLength: 20 }, country: { enum: ['France', 'Italy', 'Spain'] } },
  required: ['city', 'country'],
  additionalProperties: false,
});

/** Byte-level tokenizers (`gpt2`) represent each byte as a printable character. */
const byteOf = new Map();
for (let byte = 0, others = 256; byte < 256; byte++) {
  const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  byteOf.set(String.fromCodePoint(isPrintable ? byte : others++), byte);
}
const bytesOfByteLevel = (text) => Uint8Array.from(text, (char) => byteOf.get(char));

const llama = await getLlama();
const model = await llama.loadModel({ modelPath: process.argv[2] });
const { tokens, token_type: types = [] } = model.fileInfo.metadata.tokenizer.ggml;
const NORMAL = 1;
const bytesOf = tokens.map((text, id) => (types[id] === NORMAL ? bytesOfByteLevel(text) : new Uint8Array()));
const masker = createTokenMasker(bytesOf);

const context = await model.createContext({ contextSize: 512 });
const sequence = context.getSequence();
const prompt = '<|im_start|>user\nName a city as JSON.<|im_end|>\n<|im_start|>assistant\n';
let input = model.tokenize(prompt, true);
let state = grammar.start();
while (!state.mustEnd()) {
  const last = input.at(-1);
  const options = { generateNext: { probabilities: true } };
  const outputs = await sequence.controlledEvaluate([...input.slice(0, -1), [last, options]]);
  const { probabilities } = outputs.at(-1).next;
  const mask = masker.allowed(state);
  const isAllowed = (id) => mask.has(id) || (state.canEnd() && model.isEogToken(id));
  // In descending order of probability.
  const token = [...probabilities.keys()].find(isAllowed);
  if (token === undefined || model.isEogToken(token)) break;
  process.stdout.write(Buffer.from(bytesOf[token]));
  state = state.advance(bytesOf[token]);
  input = [token];
}
process.stdout.write('\n');
await llama.dispose();
