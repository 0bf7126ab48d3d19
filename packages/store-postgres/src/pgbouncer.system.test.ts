import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describeStores } from '@modelwire/ports/suites/stores';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionSettings } from './pool/pool-database.ts';
import { openPostgresStores } from './postgres-stores.ts';
import { missingPgBouncer, startPgBouncer } from './testing/pgbouncer.ts';
import type { PgBouncer } from './testing/pgbouncer.ts';
import { startPostgres } from './testing/postgres-server.ts';
import type { PostgresServer } from './testing/postgres-server.ts';

const page = readFileSync(new URL('../../../docs/operations/scaling-out.md', import.meta.url), 'utf8');
const connectQuery = /connect_query='(.*)'/.exec(page)?.[1] ?? '';
const missing = missingPgBouncer();

test('the documented connect_query of PgBouncer has the settings of a connection', () => {
  expect(connectQuery).toBe(sessionSettings({ operationTimeoutMs: 10_000 }));
});

describe.skipIf(missing !== undefined)(`PgBouncer in transaction mode${missing ? `: ${missing}` : ''}`, () => {
  let postgres: PostgresServer;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    postgres = await startPostgres();
    // Fewer connections than the stores have: transactions of one connection run on several.
    bouncer = await startPgBouncer(postgres.url, { poolSize: 5, connectQuery });
  }, 120_000);
  afterAll(async () => {
    await bouncer.stop();
    await postgres.discard();
  });

  describeStores('PostgreSQL', () => {
    const schema = `test_${randomUUID().replaceAll('-', '')}`;
    const open = () => openPostgresStores({ url: bouncer.url, schema, operationTimeoutMs: 240_000 });
    return Promise.resolve({ open });
  });
});
