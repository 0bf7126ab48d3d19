import * as z from 'zod';
import { auditLogTypes } from '../enums.ts';
import { constant, integer, jsonObject, openEnum, responseObject, string, timestamp } from '../fields/field.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';
import { listOf, pageQuery } from '../fields/paging.ts';

const filter = (description: string) => z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe(description);

export const auditLogSchema = responseObject('AuditLog', 'An administrative action.', {
  id: string('ID of the entry.', 'audit_log-abc123'),
  object: constant('organization.audit_log'),
  type: openEnum(auditLogTypes, 'What was done.'),
  effective_at: timestamp('When it was done.'),
  actor: z
    .looseObject({
      type: openEnum(
        ['api_key', 'session', 'system'],
        'Who did it: the holder of a key, a person who signed in to the console without one, or a command on the machine of the server.',
      ),
      api_key: z
        .looseObject({ id: string('ID of the key.', 'key_abc123') })
        .nullable()
        .describe('The key that was used, if it was a key.'),
      session: z
        .looseObject({
          user: z
            .looseObject({
              id: string('ID of the person.', 'user_abc123'),
              name: string('Name of the person at that time, such as an email address.', 'ada@example.com'),
            })
            .describe('The person.'),
        })
        .nullable()
        .describe('The session of a person, if it was one.'),
    })
    .describe('Who did it.'),
  project: z
    .looseObject({ id: string('ID of the project.', 'proj_abc123') })
    .nullable()
    .describe('The project that it concerns.'),
  resource_id: string(
    'ID of the project, key, budget or webhook that was changed, or of the person who signed in.',
    'key_xyz456',
  ),
  changes: jsonObject().describe('The fields that were set, with their new values. Never a secret.'),
});

export const auditLogListSchema = listOf('AuditLogList', 'A page of the audit log, newest first.', auditLogSchema);

export const auditLogQuerySchema = z.strictObject({
  ...pageQuery(),
  start_time: integer({ min: 0 }).optional().describe('Only actions from this time on, in Unix seconds.'),
  end_time: integer({ min: 0 }).optional().describe('Only actions before this time, in Unix seconds.'),
  project_ids: filter('Only actions that concern these projects.'),
  event_types: filter('Only actions of these types.'),
  actor_ids: filter('Only actions of these keys and people.'),
  actor_emails: filter('Only actions of people with these names at that time, such as email addresses.'),
  resource_ids: filter('Only actions on these projects, keys, budgets, webhooks and people.'),
});
