import { afterAll, beforeAll, describe } from 'vitest';
import { completionRecord } from '@modelwire/ports/suites/stores';
import { describeCompletionPlans } from './completion-plans.ts';
import { manyRows, rowCount } from './many-rows.ts';
import { plannedStores } from './planned-stores.ts';
import type { PlannedConnection, PlannedStores } from './planned-stores.ts';
import { describeResponsePlans } from './response-plans.ts';
import { describeWorkPlans } from './work-plans.ts';

/** How a database writes its plans. */
interface PlanReader {
  /** The tables that a statement reads completely. Tables that have few rows in a server, and in these tests, are left out. */
  scans(plan: string): readonly string[];
  sorts(plan: string): boolean;
  looksUpByKey(plan: string, table: string): boolean;
  /** The conditions that limit the range of an index that is read. */
  boundsOf(plan: string, index: string): string;
  /** Whether a few rows are sorted where that is cheaper than to read them in order. */
  readonly sortsFewRows: boolean;
}

export interface PlanDialect extends PlanReader {
  connect(): Promise<PlannedConnection>;
  /** The planner is tested in each of these modes: the SQL that enters it, by its name. */
  readonly modes: Readonly<Record<string, string>>;
}

export type OpenPlans = PlannedStores & PlanReader;

/** The test suite of the query plans of a database: no call reads a large table completely. */
export function describeQueryPlans(name: string, { connect, modes, ...reader }: PlanDialect): void {
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
      await planned.execute(manyRows);
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
