import type { WebhookDelivery as WireDelivery } from '@modelwire/schema/types';
import { PAGE_LIMIT_DEFAULT } from '@modelwire/schema';
import type { WebhookDelivery } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { listOf, unknownAfter } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { storesOf } from '../../media/files/storage.ts';
import { findWebhook } from './webhooks.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('delivery', 'delivery_id');

export const webhookDeliveries: HandlersOf<'organization.webhooks.deliveries'> = {
  async 'organization.webhooks.deliveries.list'(call, server) {
    const { id } = await findWebhook(call, server);
    const { after, limit = PAGE_LIMIT_DEFAULT, status } = call.query;
    const page = await storesOf(server).webhooks.deliveries({ webhook: id, after, limit, status });
    const { items, hasMore } = page ?? unknownAfter(after);
    return { status: 200, body: listOf({ items: items.map(wireDelivery), hasMore }) };
  },

  async 'organization.webhooks.deliveries.retrieve'(call, server) {
    return { status: 200, body: wireDelivery(await findDelivery(call, server)) };
  },

  async 'organization.webhooks.deliveries.redeliver'(call, server) {
    const { id } = await findDelivery(call, server);
    if (!(await storesOf(server).webhooks.redeliver(id, nowInSeconds(server.clock)))) inPath.throwNotFound(call);
    server.wakeWorker();
    return { status: 200, body: wireDelivery(await findDelivery(call, server)) };
  },
};

/** @throws a 404, also for the delivery of another webhook than the path names. */
async function findDelivery(call: Pick<Call, 'params'>, server: ServerContext): Promise<WebhookDelivery> {
  const { id: webhook } = await findWebhook(call, server);
  const delivery = await storesOf(server).webhooks.delivery(inPath.id(call));
  return delivery?.webhook === webhook ? delivery : inPath.throwNotFound(call);
}

function wireDelivery(delivery: WebhookDelivery): WireDelivery {
  return {
    id: delivery.id,
    object: 'organization.webhook.delivery',
    webhook_id: delivery.webhook,
    event_id: delivery.event,
    event_type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, durationMs, status, error }) => ({
      created_at: at,
      duration_ms: durationMs,
      response_status: status,
      error,
    })),
    next_attempt_at: delivery.nextAttempt,
    created_at: delivery.created,
    // Written by the store.
    payload: JSON.parse(delivery.payload) as Record<string, unknown>,
  };
}
