import { compareOperations } from './compare.ts';
import { decide } from './decisions.ts';
import type { Decision } from './decisions.ts';
import { publicOperations, readFacts, readReleaseFacts, sourceOf } from './facts.ts';
import type { Operations } from './operations.ts';
import { ownOperations } from './operations.ts';
import { summary } from './page.ts';

/** What changed in the public specification, as rows of operations, fields and values. */
interface SpecificationChanges {
  /** New, and served, or one of the values of a field that takes any. */
  readonly served: readonly string[];
  /** New, with the decision why it is not served. */
  readonly decisions: readonly Decision[];
  readonly removed: readonly string[];
}

export function specificationChanges(before: Operations, now: Operations, ours: Operations): SpecificationChanges {
  const { oursOnly: added, theirsOnly: removed } = compareOperations(now, before);
  const decided = decide(compareOperations(ours, now).theirsOnly);
  const decisions = [...decided.decisions, { decision: 'not decided', rows: decided.open }].map(
    ({ decision, rows }) => ({
      decision,
      rows: added.filter((row) => rows.some((missing) => isWithin(row, missing))),
    }),
  );
  const missing = new Set(decisions.flatMap(({ rows }) => rows));
  return {
    served: added.filter((row) => !missing.has(row)),
    decisions: decisions.filter(({ rows }) => rows.length > 0),
    removed,
  };
}

/** Whether a row is another, or one of its fields or values. */
function isWithin(row: string, outer: string): boolean {
  return row === outer || (row.startsWith(outer) && /[.[{ ]/.test(row.charAt(outer.length)));
}

/** `docs/specification-changes.md`. */
export function specificationChangesPage(): string {
  const facts = readFacts();
  const release = readReleaseFacts();
  const { served, decisions, removed } = specificationChanges(
    release.operations,
    publicOperations(facts),
    ownOperations(),
  );
  const rows = [
    ...(served.length > 0 ? [{ decision: 'served or accepted', rows: served }] : []),
    ...decisions,
    ...(removed.length > 0 ? [{ decision: 'gone there; what this server has of it stays', rows: removed }] : []),
  ];
  const table = rows.map((row) => `| ${row.decision} | ${row.rows.length} | ${summary(row.rows)} |`).join('\n');
  return `# Changes of the public specification

What the public document of the API and the types of the official SDKs (${sourceOf(facts)}) have gained and
lost since the last release of this server, and what it does with it. \`npm run docs\` writes this page from the facts and decisions of
[Drift](drift.md); the facts at a release are kept by \`pnpm version-packages\`. Before the first release, the page begins
with those of August 2026.

From: ${release.source}.

<!-- prettier-ignore -->
| what this server does | rows | operations and fields |
| --------------------- | ---- | --------------------- |
${table === '' ? '| nothing changed | 0 | |' : table}
`;
}
