/** Stores a record, and returns it. */
export async function createRecord<Stored>(
  store: { create(record: Stored): Promise<unknown> },
  record: Stored,
): Promise<Stored> {
  await store.create(record);
  return record;
}
