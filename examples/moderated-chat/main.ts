// Moderates messages of the user before the model gets them, and replies before the user sees them.
import { Modelwire } from '@modelwire/client';

const { chat, moderations } = new Modelwire();
const said = process.argv.length > 2 ? process.argv.slice(2) : ['Tell me about rivers.', 'I will kill myself.'];

/** The categories that a text is flagged for. */
async function categoriesOf(input: string): Promise<string[]> {
  const { results } = await moderations.create({ input });
  return results.flatMap(({ categories }) => Object.entries(categories).flatMap(([name, is]) => (is ? [name] : [])));
}

for (const content of said) {
  console.log(`> ${content}`);
  const [before] = await categoriesOf(content);
  if (before !== undefined) {
    console.log(`-- not asked: ${before}`);
    continue;
  }
  const { choices } = await chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content }] });
  const reply = choices[0]?.message.content ?? '';
  const [after] = await categoriesOf(reply);
  console.log(after === undefined ? reply : `-- not shown: ${after}`);
}
