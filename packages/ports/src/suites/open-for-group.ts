import { afterAll, beforeAll } from 'vitest';

/** Opens something before the tests of a group, and discards it after them. Returns it while tests run. */
export function openForGroup<Opened extends { discard(): Promise<void> }>(open: () => Promise<Opened>): () => Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    await opened?.discard();
  });
  return () => {
    if (!opened) throw new Error('not open yet');
    return opened;
  };
}
