import { afterAll, beforeAll, describe } from 'vitest';
import { completionRecord } from '@modelwire/ports/testing';
import { describeCompletionPlans } from './completion-plans.ts';
import { manyRows, rowCount } from './many-rows.ts';
import { plannedStores } from './planned-stores.ts';
import type { PlannedConnection, PlannedStores, PlanReader } from './planned-stores.ts';
import { describeResponsePlans } from './response-plans.ts';
import { describeWorkPlans } from './work-plans.ts';

export interface PlanDialect extends PlanReader {
  connect(): Promise<PlannedConnection>;
  /** SQL that fills the index of words. */
  readonly words: string;
  /** The planner is tested in each of these modes: the SQL that enters it, by its name. */
  readonly modes: Readonly<Record<string, string>>;
}

/** The test suite of the query plans of a database: no call reads a large table completely. */
export function describeQueryPlans(name: string, { connect, words, modes, ...reader }: PlanDialect): void {
  describe(`query plans of ${name}`, () => {
    let planned: PlannedStores;
    const opened = () => ({ ...planned, ...reader });

    beforeAll(async () => {
      planned = plannedStores(await connect());
      const { completions } = planned.stores.project('p');
      const metadata = { all: 'yes', some: '3', few: '13' };
      await completions.append(completionRecord({ id: 'rarest', created: rowCount + 1, metadata }));
      await completions.append(completionRecord({ id: 'c1', created: 1, metadata: { all: 'yes' } }));
      await completions.append(
        completionRecord({ id: 'rare', created: rowCount + 1, metadata: { all: 'yes', some: '3' } }),
      );
      await planned.execute(`${manyRows}\n${words}`);
    });
    afterAll(() => planned.stores.close());

    describe.each(Object.keys(modes))('%s', (mode) => {
      beforeAll(async () => {
        await planned.execute(modes[mode] ?? '');
      });
      describeCompletionPlans(opened);
      describeWorkPlans(opened, Object.keys(modes).indexOf(mode));
      describeResponsePlans(opened);
    });
  });
}
