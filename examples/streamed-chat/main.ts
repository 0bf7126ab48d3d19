// Sends a question, prints the reply while it streams, and then prints the usage.
import { Modelwire } from '@modelwire/client';

const client = new Modelwire();
const question = process.argv[2] ?? 'Why do rivers bend?';

const stream = client.chat.completions.stream({ model: 'simulator', messages: [{ role: 'user', content: question }] });
for await (const piece of stream.text()) process.stdout.write(piece);

const { usage, choices } = await stream.final();
console.log(`\n-- ${usage?.completion_tokens ?? 0} tokens, ended by ${choices[0]?.finish_reason ?? 'nothing'}`);
