/** Placeholder for the HTTP request in internal requests. */
export const internalRequest = {
  params: {},
  header: () => null,
  headers: () => [],
  text: () => Promise.reject(new Error('an internal request has a parsed body')),
  bytes(): AsyncIterable<Uint8Array> {
    throw new Error('an internal request has a parsed body');
  },
  onDisconnect: () => undefined,
};
