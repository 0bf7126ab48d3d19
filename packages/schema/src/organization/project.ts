import * as z from 'zod';
import { constant, id, integer, open, text, timestamp } from '../field.ts';
import { listOf, pageQuery } from '../paging.ts';
import { limitFields, shownLimits } from './fields.ts';

const name = text({ min: 1, max: 200 });
const storageLimit = integer({ min: 0 })
  .nullable()
  .optional()
  .describe('Bytes of files, stored completions and stored responses that the project may keep. Null for no limit.');

export const projectSchema = z
  .looseObject({
    id: id('ID of the project.', 'proj_abc123'),
    object: constant('organization.project'),
    name: z.string().meta({ description: 'Name of the project.', examples: ['Shop'] }),
    status: open(['active', 'archived'], 'Keys of an archived project are refused.'),
    created_at: timestamp('When the project was created.'),
    archived_at: timestamp('When the project was archived.').nullable(),
    ...shownLimits,
    storage_limit_bytes: z
      .int()
      .nullable()
      .describe(
        'Bytes of files, stored completions and stored responses that the project may keep. Null for no limit.',
      ),
    storage_used_bytes: z
      .int()
      .optional()
      .describe(
        'Bytes of files, stored completions and stored responses that the project keeps. Only when one project is retrieved.',
      ),
  })
  .meta({ id: 'Project', description: 'A project. All keys of a project share its records and limits.' });

export const projectListSchema = listOf(projectSchema).meta({ id: 'ProjectList', description: 'A page of projects.' });

export const projectListQuerySchema = z.strictObject({
  ...pageQuery(),
  include_archived: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether archived projects are listed.', default: 'false' }),
});

export const projectCreateParamsSchema = z
  .strictObject({
    name: name.describe('Name of the project.'),
    id: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .optional()
      .describe('ID of the project: 1 to 64 letters, digits, `_`, `-` and `.`. Default: a random ID.'),
    ...limitFields,
    storage_limit_bytes: storageLimit,
  })
  .meta({ id: 'ProjectCreateParams', description: 'A new project.' });

export const projectUpdateParamsSchema = z
  .strictObject({
    name: name.optional().describe('Name of the project.'),
    ...limitFields,
    storage_limit_bytes: storageLimit,
  })
  .meta({ id: 'ProjectUpdateParams', description: 'What changes in a project. Other fields stay as they are.' });
