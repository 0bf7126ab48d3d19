import * as z from 'zod';
import { remoteServerFields, timeout, trustedHosts } from './common-fields.ts';

export const moderation = z.union([
  z.boolean(),
  z.strictObject({
    upstream: z.strictObject({
      ...remoteServerFields,
      models: z
        .record(z.string().min(1), z.string().min(1))
        .optional()
        .describe('Model IDs, with their IDs on the upstream.'),
    }),
  }),
  z.strictObject({ images: z.boolean().describe('Whether the embedded models moderate images.') }),
  z.strictObject({
    judge: z.strictObject({
      model: z.string().min(1).describe('ID of a chat model of this server.'),
      preset: z
        .enum([
          'general',
          'llama-guard-3',
          'llama-guard-4',
          'qwen3guard-gen',
          'shieldgemma',
          'granite-guardian-4',
          'gpt-oss-safeguard',
        ])
        .optional()
        .describe(
          'The format in which a guard model is asked; `general` for other models. Default: by the ID of the model.',
        ),
    }),
  }),
]);

const maxSeconds = z.int().min(1).optional();

export const videos = z.union([
  z.boolean(),
  z.strictObject({
    storyboard: z
      .union([
        z.boolean(),
        z.strictObject({
          concurrency: z.int().min(1).optional().describe('Maximum number of concurrent videos. Default 1.'),
        }),
      ])
      .optional()
      .describe('The embedded engine, which renders title cards. Default: true.'),
    upstream: z
      .strictObject({
        ...remoteServerFields,
        models: z.record(
          z.string().min(1),
          z.strictObject({
            upstreamModel: z.string().min(1).optional().describe('Model ID on the upstream. Default: the same ID.'),
            sizes: z.array(z.string()).min(1).optional().describe('Accepted values of `size`.'),
            seconds: z.array(z.string()).min(1).optional().describe('Accepted values of `seconds`.'),
            maxSeconds: maxSeconds.describe(
              'Maximum length of a video with its extensions. Default: 120 with the preset `hosted`, otherwise unlimited.',
            ),
            inputReference: z.boolean().optional().describe('Whether it accepts an input image. Default true.'),
            remix: z
              .boolean()
              .optional()
              .describe(
                'Whether it can start from a video. Default: true with the preset `hosted`. With `vllm-omni` and `sglang` it receives the source as input.',
              ),
            extend: z
              .boolean()
              .optional()
              .describe('Whether it can continue a video. Default: true with the preset `hosted`.'),
            parameters: z
              .record(z.string(), z.json())
              .optional()
              .describe('Fields of each request for a video, such as `fps`, `num_inference_steps` or `extra_params`.'),
          }),
        ),
        preset: z
          .enum(['hosted', 'vllm-omni', 'sglang', 'dynamo'])
          .optional()
          .describe('The kind of server. `hosted` is also that of another Modelwire. Default: `hosted`.'),
        concurrency: z.int().min(1).optional().describe('Maximum number of concurrent videos.'),
        trustedHosts: trustedHosts
          .optional()
          .describe(
            'Hosts, as `host:port`, from which videos that the upstream has stored elsewhere are downloaded even if their addresses are not public or their ports are not 80 or 443. Default: none.',
          ),
      })
      .optional()
      .describe('Another server with `/videos`.'),
    ffmpeg: z
      .union([z.boolean(), z.string().min(1)])
      .optional()
      .describe(
        'Whether ffmpeg makes the thumbnails and spritesheets that `upstream` and `command` leave out, and the last frame of a source for models that start from images but not from videos, whose extensions it joins to their source: true, or the path of the program. Default: false.',
      ),
    command: z
      .strictObject({
        command: z.string().min(1).describe('Program to run, without a shell.'),
        args: z.array(z.string()).optional().describe('Arguments of the program.'),
        models: z.record(
          z.string().min(1),
          z.strictObject({
            sizes: z.array(z.string()).min(1).optional().describe('Accepted values of `size`.'),
            seconds: z.array(z.string()).min(1).optional().describe('Accepted values of `seconds`.'),
            maxSeconds: maxSeconds.describe('Maximum length of a video with its extensions. Default: unlimited.'),
            inputReference: z.boolean().optional().describe('Whether it accepts an input image.'),
            remix: z.boolean().optional().describe('Whether it can start from a video. Default true.'),
            extend: z.boolean().optional().describe('Whether it can continue a video. Default false.'),
          }),
        ),
        timeoutMs: timeout.optional().describe('Milliseconds that a video may take. Default 600000.'),
        maxOutputBytes: z.int().min(1).optional().describe('Maximum size of a video. Default 536870912 (512 MiB).'),
        memoryBytes: z.int().min(1).optional().describe('Memory limit of the program. Default: unlimited.'),
        concurrency: z.int().min(1).optional().describe('Maximum number of concurrent videos. Default 1.'),
        env: z.record(z.string(), z.string()).optional().describe('Environment variables of the program.'),
      })
      .optional()
      .describe('An external program that receives each job as JSON.'),
  }),
]);
