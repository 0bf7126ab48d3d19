import { readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../testing/fake-terminal.ts';
import { openJournal } from './journal.ts';

const server = { baseURL: 'http://127.0.0.1:9/v1', apiKey: 'sk-one' };
const file = (id: string) => ({ name: `file ${id}`, method: 'DELETE', path: `/files/${id}` }) as const;

/** A state folder with the journal of a run with two files; its process has the given ID. */
function stateAfter(pid: number): string {
  const state = folder();
  const journal = openJournal(state, server);
  for (const id of ['a', 'b']) journal.add(file(id));
  for (const name of filesIn(state)) renameSync(name, name.replace(`.${process.pid}.`, `.${pid}.`));
  return state;
}

const filesIn = (state: string): readonly string[] =>
  readdirSync(join(state, 'conform')).map((name) => join(state, 'conform', name));

/** Larger than any process ID. */
const GONE = 2 ** 30;

test('has what a run whose process is gone left, for the same server and key', () => {
  const state = stateAfter(GONE);
  expect(openJournal(state, server).leftovers).toEqual([file('a'), file('b')]);
  expect(openJournal(state, { ...server, apiKey: 'sk-two' }).leftovers).toEqual([]);
  expect(openJournal(state, { ...server, baseURL: 'http://127.0.0.1:8/v1' }).leftovers).toEqual([]);
  expect(
    filesIn(state)
      .map((path) => readFileSync(path, 'utf8'))
      .join(''),
  ).not.toContain('sk-one');
});

test('leaves a run alone whose process runs, or that is of another host or container, for an hour', () => {
  const running = stateAfter(process.ppid);
  const elsewhere = stateAfter(GONE);
  for (const path of filesIn(elsewhere)) renameSync(path, path.replace(/\.\w{32}\./, `.${'0'.repeat(32)}.`));
  for (const state of [running, elsewhere]) {
    expect(openJournal(state, server).leftovers).toEqual([]);
    for (const path of filesIn(state)) utimesSync(path, 0, 0);
    expect(openJournal(state, server).leftovers).toEqual([file('a'), file('b')]);
  }
});

test('keeps what was not deleted for the next run, and nothing else', () => {
  const state = stateAfter(GONE);
  const journal = openJournal(state, server);
  journal.add(file('c'));
  journal.close(['file b', 'file c']);
  const [path = '', ...others] = filesIn(state);
  expect(others).toEqual([]);
  renameSync(path, path.replace(`.${process.pid}.`, `.${GONE}.`));
  const next = openJournal(state, server);
  expect(next.leftovers).toEqual([file('b'), file('c')]);
  next.close([]);
  expect(filesIn(state)).toEqual([]);
});

test('reads no other request than one that removes such an object, and works without a folder', () => {
  const state = stateAfter(GONE);
  const journal = openJournal(state, server);
  for (const path of ['/files/a/../../keys/b', '/organization/projects/p', 'http://elsewhere/files/a']) {
    journal.add({ name: path, method: 'DELETE', path });
  }
  for (const name of filesIn(state)) renameSync(name, name.replace(`.${process.pid}.`, `.${GONE}.`));
  expect(openJournal(state, server).leftovers).toEqual([file('a'), file('b')]);
  const nowhere = openJournal('/dev/null', server);
  nowhere.add(file('a'));
  nowhere.close([]);
  expect(nowhere.leftovers).toEqual([]);
});
