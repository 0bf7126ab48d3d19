import * as z from 'zod';
import { constant, count, nullableString, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { jsonObject } from '../fields/field.ts';
import { usageSchema } from '../chat/completion.ts';
import { lenient } from '../parsing/lenient.ts';
import { datasetFilterSchema, datasetFormatSchema, datasetSplitSchema } from './requests.ts';

export const datasetFileSchema = z
  .looseObject({
    file_id: string('ID of the file.', 'file-abc123'),
    split: openEnum(['train', 'test'], 'The part of the dataset.').nullable(),
    lines: count('Lines of the file.'),
    bytes: count('Size of the file.'),
    sha256: string(
      'SHA-256 of the file in hexadecimal digits.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
  })
  .meta({ id: 'DatasetFile', description: 'A file of a dataset.' });

/** Of this server: a file of the purpose `dataset`, whose content this is. */
export const datasetSchema = responseObject(
  'Dataset',
  'Stored completions as files of lines, and what they were made of.',
  {
    id: string('ID of the file that has this object as its content.', 'file-abc123'),
    object: constant('dataset'),
    name: string('Name of the files.', 'support-may'),
    created_at: timestamp('When the dataset was created.'),
    format: openEnum(datasetFormatSchema.options, 'What a line of the files is.'),
    filter: lenient(datasetFilterSchema)
      .nullable()
      .describe('Which stored completions were used. Null for a dataset of a dataset.'),
    dataset: nullableString('ID of the dataset whose completions were used.', 'file-def456'),
    split: lenient(datasetSplitSchema).nullable().describe('Null for one file.'),
    deduplicated: z.boolean().describe('Whether equal lines were left out.'),
    redacted: z.boolean().describe('Whether the command of the operator has redacted the lines.'),
    parameters: jsonObject().nullable().describe('Parameters of the requests in place of those that were stored.'),
    counts: z
      .looseObject({
        completions: count('Completions that were read.'),
        lines: count('Lines of all files.'),
        duplicates: count('Lines that were equal to an earlier one.'),
        skipped: count('Completions that the format cannot express, such as replies that were cut off.'),
      })
      .describe('What became of the completions.'),
    files: z.array(datasetFileSchema).describe('The files, the training part first. None without lines.'),
  },
);

/** A line of a file for evaluation, from which all other formats are made. */
export const datasetItemSchema = z.looseObject({
  item: z.looseObject({
    id: z.string(),
    created: z.number(),
    metadata: z.record(z.string(), z.string()),
    request: z.looseObject({ messages: z.array(jsonObject()) }),
  }),
  sample: z.looseObject({
    model: z.string(),
    output_text: z.string(),
    choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message: jsonObject() })),
    usage: usageSchema.nullable(),
    duration_ms: z.number().nullable(),
  }),
});
