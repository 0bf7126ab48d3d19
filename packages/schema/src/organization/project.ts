import * as z from 'zod';
import {
  constant,
  integer,
  openEnum,
  requestObject,
  responseObject,
  string,
  text,
  timestamp,
} from '../fields/field.ts';
import { listOf, pageQuery } from '../fields/paging.ts';
import { limitFields, shownLimits } from './fields.ts';

/** Clients put the ID into the path of a URL, where `.` and `..` would address another endpoint. */
export const projectIdSchema = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,64}$/, {
  error: "1 to 64 letters, digits, underscores, dashes and dots, other than '.' and '..'",
});

const name = text({ min: 1, max: 200 });
const storageLimit = integer({ min: 0 })
  .nullable()
  .optional()
  .describe('Bytes of files, stored completions and stored responses that the project may keep. Null for no limit.');

export const projectSchema = responseObject(
  'Project',
  'A project. All keys of a project share its records and limits.',
  {
    id: string('ID of the project.', 'proj_abc123'),
    object: constant('organization.project'),
    name: string('Name of the project.', 'Shop'),
    status: openEnum(['active', 'archived'], 'Keys of an archived project are refused.'),
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
  },
);

export const projectListSchema = listOf('ProjectList', 'A page of projects.', projectSchema);

export const projectListQuerySchema = z.strictObject({
  ...pageQuery(),
  include_archived: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether archived projects are listed.', default: 'false' }),
});

export const projectCreateParamsSchema = requestObject('ProjectCreateParams', 'A new project.', {
  name: name.describe('Name of the project.'),
  id: projectIdSchema
    .optional()
    .describe(
      'ID of the project: 1 to 64 letters, digits, `_`, `-` and `.`, but not `.` or `..`. Default: a random ID.',
    ),
  ...limitFields,
  storage_limit_bytes: storageLimit,
});

export const projectUpdateParamsSchema = requestObject(
  'ProjectUpdateParams',
  'What changes in a project. Other fields stay as they are.',
  {
    name: name.optional().describe('Name of the project.'),
    ...limitFields,
    storage_limit_bytes: storageLimit,
  },
);
