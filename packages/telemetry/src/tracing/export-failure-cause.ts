/**
 * Returns why an export failed, such as `status 503`, `timeout` or `ECONNREFUSED`: never an address, a header or text of the receiver.
 *
 * @param lastStatus The status of the last response. The SDK does not provide the status of a response after which it retried.
 */
export function exportFailureCause(error: unknown, lastStatus: number | undefined): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `status ${code}`;
  if (typeof code === 'string') return code;
  if (error.message === 'Request timed out') return 'timeout';
  if (error.name === 'OTLPExporterError' && lastStatus !== undefined) return `status ${lastStatus}`;
  return error.name;
}
