const contracting: readonly RegExp[] = [
  /^drop (?:table|view|trigger|function)\b/,
  /^alter table \S+ (?:.*\b)?(?:drop|rename|alter column)\b/,
  /^alter table \S+ .*\badd column\b(?=.*\bnot null\b)(?!.*\bdefault\b)/,
  /^alter table \S+ .*\badd (?:constraint|unique|check|foreign key|primary key)\b/,
  /^truncate\b/,
];

/**
 * The statements of a migration after which servers of the previous version, which still run during an upgrade, could fail: those that remove,
 * rename or restrict what they use. Tables that the migration itself creates are not restricted.
 */
export function contractingStatements(sql: string): readonly string[] {
  const statements = sql
    .replaceAll(/\$\$.*?\$\$/gs, "''")
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase());
  const created = new Set(
    statements.flatMap((statement) => /^create (?:unlogged )?table (\S+)/.exec(statement)?.[1] ?? []),
  );
  const restricts = (statement: string) => {
    const table = /^create unique index .*?\bon (\S+)/.exec(statement)?.[1];
    return table !== undefined && !created.has(table);
  };
  return statements.filter(
    (statement) => contracting.some((pattern) => pattern.test(statement)) || restricts(statement),
  );
}
