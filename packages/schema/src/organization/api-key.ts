import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { graceSeconds } from './rotation.ts';
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

const roles = ['full', 'read_only', 'inference_only', 'admin'] as const;
const name = text({ max: 200 });
const role = z.enum(roles);
const expiresAt = integer({ min: 1 })
  .nullable()
  .optional()
  .describe('When the key expires, in Unix seconds. Null for a key that does not expire.');

const shape = {
  id: string('ID of the key.', 'key_abc123'),
  object: constant('organization.project.api_key'),
  name: string('Name of the key.', 'checkout'),
  redacted_value: string('The first characters of the key.', 'mw-Ab12…'),
  project_id: string('ID of the project of the key.', 'proj_abc123'),
  role: openEnum(roles, 'What the key permits.'),
  created_at: timestamp('When the key was created.'),
  last_used_at: timestamp('When the key was last used, accurate to a minute. Null if never.').nullable(),
  expires_at: timestamp('When the key expires. Null if never.').nullable(),
  revoked_at: timestamp('When the key was revoked. Null for a key that was not.').nullable(),
  ...shownLimits,
};

export const projectApiKeySchema = z
  .looseObject(shape)
  .meta({ id: 'ProjectApiKey', description: 'An API key, without its secret.' });

export const projectApiKeyWithValueSchema = responseObject('ProjectApiKeyWithValue', 'An API key with its secret.', {
  ...shape,
  value: z.string().meta({ description: 'The key. It is shown once and not stored.' }),
});

export const projectApiKeyListSchema = listOf('ProjectApiKeyList', 'A page of API keys.', projectApiKeySchema);

export const projectApiKeyListQuerySchema = z.strictObject({ ...pageQuery() });

export const projectApiKeyCreateParamsSchema = requestObject('ProjectApiKeyCreateParams', 'A new API key.', {
  name: name.optional().describe('Name of the key.'),
  role: role.optional().meta({ description: 'What the key permits.', default: 'full' }),
  expires_at: expiresAt,
  ...limitFields,
});

export const projectApiKeyUpdateParamsSchema = requestObject(
  'ProjectApiKeyUpdateParams',
  'What changes in an API key. Other fields stay as they are.',
  {
    name: name.optional().describe('Name of the key.'),
    role: role.optional().describe('What the key permits.'),
    expires_at: expiresAt,
    ...limitFields,
  },
);

export const projectApiKeyRotateParamsSchema = requestObject(
  'ProjectApiKeyRotateParams',
  'A new secret for an API key.',
  {
    grace_seconds: graceSeconds('Seconds for which the previous secret stays valid.'),
  },
);

export const projectApiKeyDeletedSchema = deletionOf(
  'key',
  { id: 'key_abc123', object: 'organization.project.api_key.deleted' },
  'Whether the key is revoked.',
).meta({ id: 'ProjectApiKeyDeleted', description: 'The revocation of an API key.' });
