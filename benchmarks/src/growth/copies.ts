import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import pg from 'pg';
import type { Place } from '../store/kinds.ts';
import { idOf } from '../store/records.ts';

/** Number of completions that are written through the store. Further ones are copied in the database. */
export const written = 1_000_000;

/** Rows per transaction. */
const rows = 50_000;
/** Values of `seq` for the rows that were written, with room for those that are appended between steps, and for each copy. */
const placesOfCopy = 1_100_000;
const prefix = idOf(0).length - 16;

/** The ID of a completion of this number, written or copied. */
export function filledId(index: number): string {
  return `${idOf(index % written).slice(0, prefix)}${String(index).padStart(16, '0')}`;
}

/**
 * Copies completions, their terms and summaries with other IDs and later times, as if they had been written. The copies of one
 * completion share its `ticket`.
 */
export async function copyCompletions(place: Place, from: number, to: number): Promise<void> {
  const database = place.kind === 'sqlite' ? openSqlite(place) : await openPostgres(place);
  try {
    for (let copy = from / written; copy < to / written; copy++) {
      for (let first = 1; first < placesOfCopy; first += rows) {
        await database.run(statements(database, copy, first));
      }
    }
    await database.run(database.afterwards);
  } finally {
    await database.close();
  }
}

interface Database {
  readonly padded: (index: string) => string;
  readonly overriding: string;
  readonly afterwards: readonly string[];
  run(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Contains numbers only, no input. */
function statements({ padded, overriding }: Database, copy: number, first: number): readonly string[] {
  const offset = copy * placesOfCopy;
  const later = (copy * written) / 10;
  const number = `cast(substr(c.id, ${prefix + 1}) as integer)`;
  const id = `substr(c.id, 1, ${prefix}) || ${padded(`${number} + ${copy * written}`)}`;
  const moved = (column: string) => `replace(${column}, c.id, ${id})`;
  // Completions that were appended between steps have higher numbers.
  const where = `where c.seq >= ${first} and c.seq < ${first + rows} and ${number} < ${written}`;
  return [
    `insert into completions (seq, id, project_id, created_at, bytes, metadata, body, messages) ${overriding}
     select c.seq + ${offset}, ${id}, c.project_id, c.created_at + ${later}, c.bytes, c.metadata, ${moved('c.body')}, ${moved('c.messages')}
     from completions c ${where}`,
    `insert into completion_terms (completion_seq, term, created_at)
     select t.completion_seq + ${offset}, t.term, t.created_at + ${later} from completions c
     join completion_terms t on t.completion_seq = c.seq ${where}`,
    `insert into completion_summaries (completion_seq, body)
     select s.completion_seq + ${offset}, ${moved('s.body')} from completions c
     join completion_summaries s on s.completion_seq = c.seq ${where}`,
  ];
}

function openSqlite({ place, name }: Place): Database {
  const database = new DatabaseSync(join(place, `${name}.db`), { timeout: 60_000 });
  database.exec('pragma synchronous = off; pragma cache_size = -1000000;');
  return {
    padded: (index) => `printf('%016d', ${index})`,
    overriding: '',
    afterwards: [],
    run: (all) => {
      database.exec(['begin immediate', ...all, 'commit'].join(';\n'));
      return Promise.resolve();
    },
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

async function openPostgres({ place, name }: Place): Promise<Database> {
  const client = new pg.Client(place);
  await client.connect();
  await client.query(`set search_path to "${name}"`);
  // Avoids a lookup per foreign key.
  await client.query('set session_replication_role to replica');
  await client.query('set synchronous_commit to off');
  return {
    padded: (index) => `lpad((${index})::text, 16, '0')`,
    overriding: 'overriding system value',
    afterwards: [
      `select setval(pg_get_serial_sequence('completions', 'seq'), (select max(seq) from completions))`,
      'analyze completions',
      'analyze completion_terms',
    ],
    run: async (all) => {
      await client.query('begin');
      for (const statement of all) await client.query(statement);
      await client.query('commit');
    },
    close: () => client.end(),
  };
}
