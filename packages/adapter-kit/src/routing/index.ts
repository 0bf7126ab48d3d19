export * from './attempt-order.ts';
export * from './circuit-breaker.ts';
export * from './first-token-times.ts';
export * from './rendezvous.ts';
export * from './route-engines.ts';
export * from './route.ts';
export * from './routing-key.ts';
