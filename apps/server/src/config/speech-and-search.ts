import * as z from 'zod';
import { timeout, withoutPassword } from './service.ts';

const voice = z.strictObject({
  speaker: z.enum(['slt', 'rms', 'awb', 'kal16']).optional(),
  pitch: z.number().min(50).max(400).optional().describe('Hertz.'),
  pace: z.number().min(0.5).max(2).optional(),
  size: z.number().min(0.75).max(1.35).optional().describe('Of the head.'),
});

export const speech = z.union([
  z.boolean(),
  z.strictObject({
    voices: z.record(z.string().min(1), voice).optional().describe('Voices of your own, by the id callers use.'),
    bitrates: z
      .strictObject({ mp3: z.int().optional(), opus: z.int().optional() })
      .optional()
      .describe('Kilobits per second. Default 64 and 32.'),
    timeoutMs: timeout.optional().describe('For a sentence. Default 30000.'),
  }),
]);

export const webSearch = z.union([
  z.strictObject({
    command: z
      .string()
      .min(1)
      .describe('A program of yours: it gets the query as JSON and prints the results as JSON.'),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    timeoutMs: timeout.optional().describe('Default 10000.'),
  }),
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .refine(withoutPassword, 'use apiKey, not a user name or password in the URL')
      .describe('A service of yours: the query is posted to it as JSON.'),
    apiKey: z.string().min(1).optional(),
    apiKeyEnv: z.string().min(1).optional().describe('Name of the environment variable that holds the key.'),
    headers: z.record(z.string(), z.string()).optional(),
    timeoutMs: timeout.optional().describe('Default 10000.'),
  }),
]);
