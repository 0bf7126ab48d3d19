/** Whether an operation ended because the client disconnected, which is no failure. */
export function isClientDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'client_disconnected';
}
