/** Statuses of deliveries, as the filter of the log offers them. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;
