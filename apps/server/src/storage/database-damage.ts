import { existsSync } from 'node:fs';
import type { StorageObserver } from '@modelwire/ports';

const damageCodes: ReadonlySet<unknown> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** Damage of the database is a state of the server: it is reported once, and jobs stop. */
export interface DatabaseDamage {
  /** Why the database cannot be trusted; undefined while it can. */
  problem(): string | undefined;
  /** Whether the error was caused by the damage, which was reported already. */
  isCause(error: unknown): boolean;
  /** Observes the operations of the database. */
  observer(inner: StorageObserver | undefined): StorageObserver;
}

export function createDatabaseDamage({
  path,
  onDamage,
}: {
  /** The file of the database; undefined for a database server. */
  readonly path: string | undefined;
  /** Called once. */
  readonly onDamage: (problem: string, error: unknown) => void;
}): DatabaseDamage {
  let damage: string | undefined;

  function setDamage(problem: string, error?: unknown): void {
    if (damage !== undefined) return;
    damage = problem;
    onDamage(problem, error);
  }
  const isCause = (error: unknown): boolean => error instanceof Error && 'code' in error && damageCodes.has(error.code);

  return {
    problem() {
      // Open connections would still write to a file that has no name any more, and lose everything when they are closed.
      if (path !== undefined && !existsSync(path))
        setDamage('the database file has vanished: stop the server and restore a backup');
      return damage;
    },
    isCause,
    observer: (inner) => ({
      startOperation(operation) {
        const observation = inner?.startOperation(operation);
        return {
          end(outcome) {
            observation?.end(outcome);
            if (isCause(outcome.error))
              setDamage('the database is damaged: stop the server and restore a backup', outcome.error);
          },
        };
      },
    }),
  };
}
