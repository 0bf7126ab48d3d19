// For the tests and measurements of this repository; not published.
export { missingPgBouncer, startPgBouncer } from './pgbouncer.ts';
export type { PgBouncer, PgBouncerOptions } from './pgbouncer.ts';
export { promote, startPostgres, startStandby } from './postgres-server.ts';
export type { PostgresServer } from './postgres-server.ts';
