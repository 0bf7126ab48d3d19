// Lets the model call functions until it can reply, and prints each call.
import { Modelwire, tool } from '@modelwire/client';
import * as z from 'zod';

const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather of a city',
  parameters: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, sky: 'clear', celsius: 18 }),
});
const time = tool({
  name: 'get_time',
  description: 'Tells the time in a city',
  parameters: z.object({ city: z.string() }),
  run: ({ city }) => `It is half past nine in ${city}.`,
});

const run = new Modelwire().chat.completions.runTools({
  model: 'simulator',
  temperature: 0,
  messages: [{ role: 'user', content: 'What is the weather in Paris, and what time is it in Tokyo?' }],
  tools: [weather, time],
});
for await (const event of run) {
  if (event.type === 'tool_call')
    console.log('calls', event.call.name, event.call.type === 'function' ? event.call.arguments : '');
}
const { outcome, steps } = await run.final();
console.log(outcome.type === 'parsed' ? outcome.parsed : outcome.type);
console.log(`-- ${steps} requests`);
