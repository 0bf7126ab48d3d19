import {
  projectApiKeyCreateParamsSchema,
  projectApiKeyDeletedSchema,
  projectApiKeyListQuerySchema,
  projectApiKeyListSchema,
  projectApiKeyRotateParamsSchema,
  projectApiKeySchema,
  projectApiKeyUpdateParamsSchema,
  projectApiKeyWithValueSchema,
} from '../organization/api-key.ts';
import { auditLogListSchema, auditLogQuerySchema } from '../organization/audit-log.ts';
import {
  budgetCreateParamsSchema,
  budgetDeletedSchema,
  budgetListQuerySchema,
  budgetListSchema,
  budgetSchema,
  budgetUpdateParamsSchema,
} from '../organization/budget.ts';
import {
  loggedRequestListSchema,
  loggedRequestListQuerySchema,
  loggedRequestSchema,
} from '../organization/request-log.ts';
import { costsPageSchema, costsQuerySchema } from '../organization/costs.ts';
import {
  projectCreateParamsSchema,
  projectListQuerySchema,
  projectListSchema,
  projectSchema,
  projectUpdateParamsSchema,
} from '../organization/project.ts';
import * as routes from '../routes.ts';
import { adminEndpoint, endpoints, json, optionalJson } from './endpoint.ts';
import * as errors from './errors.ts';

const archived = errors.invalidState('The project is archived.');
const alreadyExists = errors.endpointError(409, ['already_exists'], 'A project has this `id` already.');

/** Administration of projects, keys and budgets. */
export const organizationEndpoints = endpoints(
  {
    'organization.projects.list': adminEndpoint(
      routes.listProjects,
      'List projects, in the order of their IDs.',
      projectListSchema,
      { query: projectListQuerySchema },
    ),
    'organization.projects.create': adminEndpoint(routes.createProject, 'Create a project.', projectSchema, {
      request: [
        json(projectCreateParamsSchema, {
          'A project': { name: 'Shop' },
          'With limits': { name: 'Shop', id: 'shop', tokens_per_minute: 100_000, allowed_models: ['simulator'] },
        }),
      ],
      errors: [alreadyExists],
    }),
    'organization.projects.retrieve': adminEndpoint(
      routes.retrieveProject,
      'Retrieve a project, with the storage that it uses.',
      projectSchema,
    ),
    'organization.projects.update': adminEndpoint(
      routes.updateProject,
      'Change the name or the limits of a project.',
      projectSchema,
      { request: [json(projectUpdateParamsSchema, { 'A limit': { max_output_tokens: 4096 } })], errors: [archived] },
    ),
    'organization.projects.archive': adminEndpoint(
      routes.archiveProject,
      'Archive a project: its keys are refused from then on.',
      projectSchema,
      { errors: [archived, ...errors.invalidBody] },
    ),
    'organization.projects.api_keys.list': adminEndpoint(
      routes.listProjectApiKeys,
      'List the keys of a project, without their secrets.',
      projectApiKeyListSchema,
      { query: projectApiKeyListQuerySchema },
    ),
    'organization.projects.api_keys.create': adminEndpoint(
      routes.createProjectApiKey,
      'Create a key. The response contains its secret, which cannot be retrieved later.',
      projectApiKeyWithValueSchema,
      {
        request: [
          json(projectApiKeyCreateParamsSchema, {
            'A key for inference': { name: 'checkout', role: 'inference_only' },
          }),
        ],
        errors: [archived],
      },
    ),
    'organization.projects.api_keys.retrieve': adminEndpoint(
      routes.retrieveProjectApiKey,
      'Retrieve a key, without its secret.',
      projectApiKeySchema,
    ),
    'organization.projects.api_keys.update': adminEndpoint(
      routes.updateProjectApiKey,
      'Change the name, the role, the expiry or the limits of a key.',
      projectApiKeySchema,
      {
        request: [json(projectApiKeyUpdateParamsSchema, { 'A new name': { name: 'checkout' } })],
        errors: [errors.invalidState('The key is revoked.')],
      },
    ),
    'organization.projects.api_keys.rotate': adminEndpoint(
      routes.rotateProjectApiKey,
      'Give a key a new secret. Its id, limits and budgets stay the same.',
      projectApiKeyWithValueSchema,
      {
        request: [
          optionalJson(projectApiKeyRotateParamsSchema, { 'With a grace period of an hour': { grace_seconds: 3600 } }),
        ],
        errors: [errors.invalidState('The key is revoked or expired.'), errors.rotationInProgress],
      },
    ),
    'organization.projects.api_keys.delete': adminEndpoint(
      routes.deleteProjectApiKey,
      'Revoke a key. It stays in lists, with `revoked_at`.',
      projectApiKeyDeletedSchema,
    ),
    'organization.budgets.list': adminEndpoint(
      routes.listBudgets,
      'List budgets with what was spent.',
      budgetListSchema,
      { query: budgetListQuerySchema },
    ),
    'organization.budgets.create': adminEndpoint(
      routes.createBudget,
      'Create a budget of a key or a project.',
      budgetSchema,
      {
        request: [
          json(budgetCreateParamsSchema, {
            'A million tokens a month': {
              project_id: 'default',
              unit: 'tokens',
              period: 'month',
              hard_limit: 1_000_000,
            },
          }),
        ],
        errors: [errors.objectNotFound('project or key')],
      },
    ),
    'organization.budgets.retrieve': adminEndpoint(
      routes.retrieveBudget,
      'Retrieve a budget with what was spent.',
      budgetSchema,
    ),
    'organization.budgets.update': adminEndpoint(
      routes.updateBudget,
      'Change the limits of a budget, or override its hard limit until the period ends.',
      budgetSchema,
      { request: [json(budgetUpdateParamsSchema, { 'More for this period': { override_limit: 2_000_000 } })] },
    ),
    'organization.budgets.reset': adminEndpoint(
      routes.resetBudget,
      'Set what was spent in the current period to 0.',
      budgetSchema,
      { errors: errors.invalidBody },
    ),
    'organization.budgets.delete': adminEndpoint(routes.deleteBudget, 'Delete a budget.', budgetDeletedSchema),
    'organization.audit_logs.list': adminEndpoint(
      routes.listAuditLogs,
      'List administrative actions, newest first.',
      auditLogListSchema,
      { query: auditLogQuerySchema },
    ),
    'organization.request_logs.list': adminEndpoint(
      routes.listRequestLogs,
      'List the requests to models that left no stored completion, without their content. Empty unless the server logs requests.',
      loggedRequestListSchema,
      { query: loggedRequestListQuerySchema },
    ),
    'organization.request_logs.retrieve': adminEndpoint(
      routes.retrieveRequestLog,
      'Retrieve a logged request, without its content.',
      loggedRequestSchema,
    ),
    'organization.costs': adminEndpoint(
      routes.retrieveCosts,
      'Report costs by day, by the price table of the server.',
      costsPageSchema,
      { query: costsQuerySchema },
    ),
  },
  ['stores'],
);
