export { combineObservers, combineStorageObservers } from './combine-observers.ts';
export { createMetricsObserver } from './metrics-observer.ts';
export type { MetricsObserverOptions } from './metrics-observer.ts';
export { createStorageMetrics, observeBlobs } from './storage-metrics.ts';
export { observeProcess } from './process-metrics.ts';
