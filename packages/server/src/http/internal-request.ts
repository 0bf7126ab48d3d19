/** Stands for the HTTP request where the server makes a request to itself. */
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
