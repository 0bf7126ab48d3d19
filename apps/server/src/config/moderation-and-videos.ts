import * as z from 'zod';
import { service, timeout } from './service.ts';

export const moderation = z.union([
  z.boolean(),
  z.strictObject({
    upstream: z.strictObject({
      ...service,
      models: z.record(z.string().min(1), z.string().min(1)).optional().describe('Ids here, and their names there.'),
    }),
  }),
  z.strictObject({ images: z.boolean() }),
  z.strictObject({ judge: z.strictObject({ model: z.string().min(1).describe('A chat model of this server.') }) }),
]);

export const videos = z.union([
  z.boolean(),
  z.strictObject({
    storyboard: z
      .union([
        z.boolean(),
        z.strictObject({
          concurrency: z.int().min(1).optional().describe('Videos rendered at once. Default 1.'),
        }),
      ])
      .optional()
      .describe('The embedded model. Default: on.'),
    upstream: z
      .strictObject({
        ...service,
        models: z.record(
          z.string().min(1),
          z.strictObject({
            upstreamModel: z.string().min(1).optional(),
            sizes: z.array(z.string()).min(1).optional(),
            seconds: z.array(z.string()).min(1).optional(),
          }),
        ),
        concurrency: z.int().min(1).optional(),
      })
      .optional()
      .describe('A server that has `/videos`.'),
    command: z
      .strictObject({
        command: z.string().min(1),
        args: z.array(z.string()).optional(),
        models: z.record(
          z.string().min(1),
          z.strictObject({
            sizes: z.array(z.string()).min(1).optional(),
            seconds: z.array(z.string()).min(1).optional(),
            inputReference: z.boolean().optional(),
          }),
        ),
        timeoutMs: timeout.optional().describe('Default 600000.'),
        maxOutputBytes: z.int().min(1).optional().describe('Default 512 MiB.'),
        memoryBytes: z.int().min(1).optional().describe('Default: no limit.'),
        concurrency: z.int().min(1).optional().describe('Default 1.'),
        env: z.record(z.string(), z.string()).optional(),
      })
      .optional()
      .describe('A program of yours, given each job as JSON.'),
  }),
]);
