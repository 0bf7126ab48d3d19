/** The position of a caller in its trace, from the header `traceparent` (W3C Trace Context). */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the caller records its spans. */
  readonly isSampled: boolean;
  /** The header `tracestate`; undefined where there is none. */
  readonly traceState: string | undefined;
}

const format = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const maxTraceStateLength = 512;

/** Reads the trace context of a request; undefined where `traceparent` is missing or invalid, which also discards `tracestate`. */
export function readTraceContext(header: (name: string) => string | null): TraceContext | undefined {
  const traceparent = header('traceparent');
  if (traceparent === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = format.exec(traceparent) ?? [];
  // Only later versions may have more fields. The version ff and IDs of zeros are invalid.
  const isInvalid = version === undefined || version === 'ff' || (version === '00' && more !== undefined);
  if (isInvalid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceState = header('tracestate');
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & 1) === 1,
    traceState: traceState !== null && traceState.length <= maxTraceStateLength ? traceState : undefined,
  };
}

/** The headers that pass a trace context on. */
export function traceHeaders({
  traceId,
  spanId,
  isSampled,
  traceState,
}: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return traceState === undefined ? { traceparent } : { traceparent, tracestate: traceState };
}
