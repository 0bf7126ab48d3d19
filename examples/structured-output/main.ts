// Extracts data from a mail with a zod schema, and handles every finish reason.
import { Modelwire } from '@modelwire/client';
import * as z from 'zod';

const Booking = z.object({
  name: z.string(),
  city: z.string(),
  nights: z.int().min(1),
  room: z.enum(['single', 'double']),
});
const mail = 'Hello! My name is Ann Lee, and I need a double room for 3 nights in Rome. Thank you!';

const { outcome } = await new Modelwire().chat.completions.parse({
  model: 'simulator',
  temperature: 0,
  messages: [
    { role: 'system', content: 'Read bookings from mails.' },
    { role: 'user', content: mail },
  ],
  response_format: { name: 'booking', schema: Booking },
});

switch (outcome.type) {
  case 'parsed':
    console.log(`${outcome.parsed.name} stays ${outcome.parsed.nights} nights in ${outcome.parsed.city}.`);
    break;
  case 'refusal':
    console.log(`The model would not: ${outcome.refusal}`);
    break;
  case 'invalid':
    console.log('The answer is no booking:', outcome.issues);
    break;
  default:
    console.log(`No booking: ${outcome.type}`);
}
