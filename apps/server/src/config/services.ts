import * as z from 'zod';
import { apiKeyFields, serverURL, timeout } from './common-fields.ts';

const voice = z.strictObject({
  speaker: z.enum(['slt', 'rms', 'awb', 'kal16']).optional().describe('Voice data of Flite.'),
  pitch: z.number().min(50).max(400).optional().describe('Fundamental frequency in hertz.'),
  pace: z.number().min(0.5).max(2).optional().describe('Speaking rate; 1 is normal.'),
  size: z.number().min(0.75).max(1.35).optional().describe('Vocal tract scale; 1 is normal.'),
});

export const speech = z.union([
  z.boolean(),
  z.strictObject({
    voices: z.record(z.string().min(1), voice).optional().describe('Custom voices, by the ID that requests use.'),
    bitrates: z
      .strictObject({
        mp3: z.int().optional().describe('Default 64.'),
        opus: z.int().optional().describe('Default 32.'),
      })
      .optional()
      .describe('Bitrates in kbit/s.'),
    timeoutMs: timeout.optional().describe('Milliseconds that a sentence may take. Default 30000.'),
  }),
]);

const commandFields = {
  args: z.array(z.string()).optional().describe('Arguments of the program.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables of the program.'),
};

export const redaction = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe('Program to run, without a shell. It receives lines of JSON on stdin and prints each of them, redacted.'),
  ...commandFields,
  timeoutMs: timeout.optional().describe('Milliseconds that it may take until its next line. Default 60000.'),
});

export const webSearch = z.union([
  z.strictObject({
    command: z
      .string()
      .min(1)
      .describe(
        'Program to run, without a shell. It receives the query as JSON on stdin and prints the results as JSON.',
      ),
    ...commandFields,
    timeoutMs: timeout.optional().describe('Milliseconds that a search may take. Default 10000.'),
  }),
  z.strictObject({
    url: serverURL.describe('Search service. The query is sent to it as JSON in a POST request.'),
    ...apiKeyFields,
    headers: z.record(z.string(), z.string()).optional().describe('Additional headers of each request.'),
    timeoutMs: timeout.optional().describe('Milliseconds that a search may take. Default 10000.'),
  }),
]);
