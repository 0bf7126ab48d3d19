import { expect, test } from 'vitest';
import { contractingStatements } from './contracting-statements.ts';

test.each([
  'drop table keys',
  'drop trigger files_tombstones',
  'alter table keys drop column role',
  'alter table keys rename to api_keys',
  'alter table keys rename column role to kind',
  'alter table keys alter column role set not null',
  'alter table keys add column owner text not null',
  'alter table keys add constraint hint_length check (length(hint) < 9)',
  'create unique index keys_by_name on keys (name)',
  'truncate usage',
])('contracting: %s', (statement) => {
  expect(contractingStatements(`create table a (id integer);\n${statement.replaceAll(' ', '\n  ')};`)).toEqual([
    statement,
  ]);
});

test.each([
  'create table owners (id text not null); create unique index owners_by_id on owners (id)',
  'alter table keys add column owner text',
  "alter table keys add column owner text not null default ''",
  'create index keys_by_name on keys (name)',
  'drop index keys_by_name',
  'create or replace function f() returns trigger as $$ begin drop table a; end $$',
])('expanding: %s', (sql) => {
  expect(contractingStatements(sql)).toEqual([]);
});
