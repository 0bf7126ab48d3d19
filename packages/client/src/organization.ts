import { createTransport, listPages, paginate } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions, Paged } from '@modelwire/core';
import {
  archiveProject,
  createBudget,
  createProject,
  createProjectApiKey,
  createWebhook,
  deleteBudget,
  deleteProjectApiKey,
  deleteWebhook,
  listAuditLogs,
  listBudgets,
  listProjectApiKeys,
  listProjects,
  listRequestLogs,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  resetBudget,
  retrieveBudget,
  retrieveCosts,
  retrieveProject,
  retrieveProjectApiKey,
  retrieveRequestLog,
  retrieveUsage,
  retrieveWebhook,
  retrieveWebhookDelivery,
  rotateProjectApiKey,
  rotateWebhookSecret,
  updateBudget,
  updateProject,
  updateProjectApiKey,
  updateWebhook,
} from '@modelwire/schema/routes';
import type {
  AuditLogList,
  AuditLogParams,
  Budget,
  BudgetCreateParams,
  BudgetDeleted,
  BudgetList,
  BudgetListParams,
  BudgetUpdateParams,
  CostsPage,
  CostsParams,
  LoggedRequest,
  LoggedRequestList,
  LoggedRequestListParams,
  Project,
  ProjectApiKey,
  ProjectApiKeyCreateParams,
  ProjectApiKeyDeleted,
  ProjectApiKeyList,
  ProjectApiKeyListParams,
  ProjectApiKeyRotateParams,
  ProjectApiKeyUpdateParams,
  ProjectApiKeyWithValue,
  ProjectCreateParams,
  ProjectList,
  ProjectListParams,
  ProjectUpdateParams,
  UsagePage,
  UsageParams,
  Webhook,
  WebhookCreateParams,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryListParams,
  WebhookList,
  WebhookListParams,
  WebhookRotateSecretParams,
  WebhookUpdateParams,
  WebhookWithSecret,
} from '@modelwire/schema/types';

/** Options of a transport, or a transport that is shared with other clients. */
export type OrganizationOptions = ClientOptions;

/** The project of an API key. */
export interface ProjectApiKeyPath {
  readonly project_id: string;
}

/** The API keys of a project. */
export interface ProjectApiKeys {
  /** Lists keys without their secrets: `await` one page, or iterate all keys with `for await`. */
  list(projectId: string, params?: ProjectApiKeyListParams, options?: CallOptions): Paged<ProjectApiKeyList>;
  /** Creates a key. `value` of the response is its secret, which cannot be retrieved later. */
  create(
    projectId: string,
    params?: ProjectApiKeyCreateParams,
    options?: CallOptions,
  ): ApiPromise<ProjectApiKeyWithValue>;
  retrieve(apiKeyId: string, path: ProjectApiKeyPath, options?: CallOptions): ApiPromise<ProjectApiKey>;
  /** Changes the fields that are set. `null` removes a limit or the expiry. */
  update(
    apiKeyId: string,
    params: ProjectApiKeyPath & ProjectApiKeyUpdateParams,
    options?: CallOptions,
  ): ApiPromise<ProjectApiKey>;
  /** Replaces the secret. The previous one stays valid for `grace_seconds`, by default 0. */
  rotate(
    apiKeyId: string,
    params: ProjectApiKeyPath & ProjectApiKeyRotateParams,
    options?: CallOptions,
  ): ApiPromise<ProjectApiKeyWithValue>;
  /** Revokes a key. It stays in lists, with `revoked_at`. */
  delete(apiKeyId: string, path: ProjectApiKeyPath, options?: CallOptions): ApiPromise<ProjectApiKeyDeleted>;
}

export interface Projects {
  readonly apiKeys: ProjectApiKeys;
  /** Lists projects in the order of their IDs: `await` one page, or iterate all projects with `for await`. */
  list(params?: ProjectListParams, options?: CallOptions): Paged<ProjectList>;
  create(params: ProjectCreateParams, options?: CallOptions): ApiPromise<Project>;
  /** Retrieves a project with the storage that it uses. */
  retrieve(projectId: string, options?: CallOptions): ApiPromise<Project>;
  /** Changes the fields that are set. `null` removes a limit. */
  update(projectId: string, params: ProjectUpdateParams, options?: CallOptions): ApiPromise<Project>;
  /** Archives a project: its keys are refused from then on. */
  archive(projectId: string, options?: CallOptions): ApiPromise<Project>;
}

export interface Budgets {
  /** Lists all budgets that match, with what was spent. */
  list(params?: BudgetListParams, options?: CallOptions): Paged<BudgetList>;
  create(params: BudgetCreateParams, options?: CallOptions): ApiPromise<Budget>;
  retrieve(budgetId: string, options?: CallOptions): ApiPromise<Budget>;
  /** Changes the limits that are set. `override_limit` replaces `hard_limit` until the current period ends. */
  update(budgetId: string, params: BudgetUpdateParams, options?: CallOptions): ApiPromise<Budget>;
  /** Sets what was spent in the current period to 0. */
  reset(budgetId: string, options?: CallOptions): ApiPromise<Budget>;
  delete(budgetId: string, options?: CallOptions): ApiPromise<BudgetDeleted>;
}

export interface AuditLogs {
  /** Lists administrative actions, newest first: `await` one page, or iterate all of them with `for await`. */
  list(params?: AuditLogParams, options?: CallOptions): Paged<AuditLogList>;
}

/** The log of requests to models that left no stored completion. */
export interface RequestLogs {
  /** Lists requests, newest first: `await` one page, or iterate all of them with `for await`. */
  list(params?: LoggedRequestListParams, options?: CallOptions): Paged<LoggedRequestList>;
  retrieve(requestId: string, options?: CallOptions): ApiPromise<LoggedRequest>;
}

/** The webhook of a delivery. */
export interface WebhookPath {
  readonly webhook_id: string;
}

/** The log of what was sent to webhooks. */
export interface WebhookDeliveries {
  /** Lists deliveries, newest first: `await` one page, or iterate all of them with `for await`. */
  list(webhookId: string, params?: WebhookDeliveryListParams, options?: CallOptions): Paged<WebhookDeliveryList>;
  retrieve(deliveryId: string, path: WebhookPath, options?: CallOptions): ApiPromise<WebhookDelivery>;
  /** Sends the event again, whether or not it was delivered. */
  redeliver(deliveryId: string, path: WebhookPath, options?: CallOptions): ApiPromise<WebhookDelivery>;
}

/** URLs to which the server sends events. */
export interface Webhooks {
  readonly deliveries: WebhookDeliveries;
  /** Lists webhooks without their secrets: `await` one page, or iterate all webhooks with `for await`. */
  list(params?: WebhookListParams, options?: CallOptions): Paged<WebhookList>;
  /** Creates a webhook. `secret` of the response signs deliveries and cannot be retrieved later. */
  create(params: WebhookCreateParams, options?: CallOptions): ApiPromise<WebhookWithSecret>;
  retrieve(webhookId: string, options?: CallOptions): ApiPromise<Webhook>;
  /** Changes the fields that are set. While `enabled` is false, deliveries that become due are canceled. */
  update(webhookId: string, params: WebhookUpdateParams, options?: CallOptions): ApiPromise<Webhook>;
  /** Replaces the secret. Deliveries are also signed with the previous one for `grace_seconds`, by default 0. */
  rotateSecret(
    webhookId: string,
    params?: WebhookRotateSecretParams,
    options?: CallOptions,
  ): ApiPromise<WebhookWithSecret>;
  /** Deletes a webhook with its deliveries. */
  delete(webhookId: string, options?: CallOptions): ApiPromise<WebhookDeleted>;
}

/** Reports by day. Request the next page with `next_page` of the previous one as `page`. */
export interface UsageReports {
  /** Requests and tokens. */
  completions(params: UsageParams, options?: CallOptions): ApiPromise<UsagePage>;
  /** Costs, by the price table of the server. */
  costs(params: CostsParams, options?: CallOptions): ApiPromise<CostsPage>;
}

/** The administration API. Needs a key with the role `admin`. Every method rejects only with a `ModelwireError`. */
export interface OrganizationClient {
  readonly projects: Projects;
  readonly budgets: Budgets;
  readonly auditLogs: AuditLogs;
  readonly requestLogs: RequestLogs;
  readonly webhooks: Webhooks;
  readonly usage: UsageReports;
}

/** Creates a client for the administration API. Throws an `InputError` for an invalid base URL. */
export function createOrganization(options: OrganizationOptions = {}): OrganizationClient {
  const transport = createTransport(options);
  return {
    projects: {
      apiKeys: {
        list: (project_id, query, options) =>
          listPages<ProjectApiKeyList>(transport, listProjectApiKeys, query, { ...options, params: { project_id } }),
        create: (project_id, body = {}, options) =>
          transport.request(createProjectApiKey, { ...options, params: { project_id }, body }),
        retrieve: (api_key_id, { project_id }, options) =>
          transport.request(retrieveProjectApiKey, { ...options, params: { project_id, api_key_id } }),
        update: (api_key_id, { project_id, ...body }, options) =>
          transport.request(updateProjectApiKey, { ...options, params: { project_id, api_key_id }, body }),
        rotate: (api_key_id, { project_id, ...body }, options) =>
          transport.request(rotateProjectApiKey, { ...options, params: { project_id, api_key_id }, body }),
        delete: (api_key_id, { project_id }, options) =>
          transport.request(deleteProjectApiKey, { ...options, params: { project_id, api_key_id } }),
      },
      list: (query, options) => listPages<ProjectList>(transport, listProjects, query, options),
      create: (body, options) => transport.request(createProject, { ...options, body }),
      retrieve: (project_id, options) => transport.request(retrieveProject, { ...options, params: { project_id } }),
      update: (project_id, body, options) =>
        transport.request(updateProject, { ...options, params: { project_id }, body }),
      archive: (project_id, options) => transport.request(archiveProject, { ...options, params: { project_id } }),
    },
    budgets: {
      list: (query, options) =>
        paginate(() => transport.request<BudgetList>(listBudgets, { ...options, query: { ...query } })),
      create: (body, options) => transport.request(createBudget, { ...options, body }),
      retrieve: (budget_id, options) => transport.request(retrieveBudget, { ...options, params: { budget_id } }),
      update: (budget_id, body, options) =>
        transport.request(updateBudget, { ...options, params: { budget_id }, body }),
      reset: (budget_id, options) => transport.request(resetBudget, { ...options, params: { budget_id } }),
      delete: (budget_id, options) => transport.request(deleteBudget, { ...options, params: { budget_id } }),
    },
    auditLogs: {
      list: (query, options) => listPages<AuditLogList>(transport, listAuditLogs, query, options),
    },
    requestLogs: {
      list: (query, options) => listPages<LoggedRequestList>(transport, listRequestLogs, query, options),
      retrieve: (request_id, options) => transport.request(retrieveRequestLog, { ...options, params: { request_id } }),
    },
    webhooks: {
      deliveries: {
        list: (webhook_id, query, options) =>
          listPages<WebhookDeliveryList>(transport, listWebhookDeliveries, query, {
            ...options,
            params: { webhook_id },
          }),
        retrieve: (delivery_id, { webhook_id }, options) =>
          transport.request(retrieveWebhookDelivery, { ...options, params: { webhook_id, delivery_id } }),
        redeliver: (delivery_id, { webhook_id }, options) =>
          transport.request(redeliverWebhook, { ...options, params: { webhook_id, delivery_id } }),
      },
      list: (query, options) => listPages<WebhookList>(transport, listWebhooks, query, options),
      create: (body, options) => transport.request(createWebhook, { ...options, body }),
      retrieve: (webhook_id, options) => transport.request(retrieveWebhook, { ...options, params: { webhook_id } }),
      update: (webhook_id, body, options) =>
        transport.request(updateWebhook, { ...options, params: { webhook_id }, body }),
      rotateSecret: (webhook_id, body = {}, options) =>
        transport.request(rotateWebhookSecret, { ...options, params: { webhook_id }, body }),
      delete: (webhook_id, options) => transport.request(deleteWebhook, { ...options, params: { webhook_id } }),
    },
    usage: {
      completions: (query, options) => transport.request(retrieveUsage, { ...options, query: { ...query } }),
      costs: (query, options) => transport.request(retrieveCosts, { ...options, query: { ...query } }),
    },
  };
}
