import { setTimeout as sleep } from 'node:timers/promises';
import { promote, startPgBouncer, startPostgres, startStandby } from '@modelwire/store-postgres/testing';
import { openGate } from './gate.ts';

/** PostgreSQL with a synchronous standby, behind an address that follows the primary. */
export async function openPostgres({ usesPgBouncer }: { readonly usesPgBouncer: boolean }) {
  let primary = await startPostgres();
  let standby = await startStandby(primary, { isSynchronous: true });
  const gate = await openGate(new URL(primary.url));
  const address = new URL(primary.url);
  address.port = String(gate.port);
  const bouncer = usesPgBouncer ? await startPgBouncer(address.href, { poolSize: 20 }) : undefined;
  return {
    url: bouncer?.url ?? address.href,
    gate,
    async restart(ms: number): Promise<void> {
      await primary.stop();
      await sleep(ms);
      await primary.start();
    },
    /** Kills the primary, and promotes its standby after `ms`. Then this one gets a standby, for which it restarts. */
    async failOver(ms: number): Promise<void> {
      const killed = primary;
      await Promise.all([killed.kill(), gate.set('refusing')]);
      await sleep(ms);
      await promote(standby);
      gate.retarget(new URL(standby.url));
      await gate.set('open');
      primary = standby;
      await killed.discard();
    },
    async replaceStandby(): Promise<void> {
      standby = await startStandby(primary, { isSynchronous: true });
    },
    async close(): Promise<void> {
      await bouncer?.stop();
      await gate.close();
      await Promise.all([primary, standby].map((server) => server.discard()));
    },
  };
}
