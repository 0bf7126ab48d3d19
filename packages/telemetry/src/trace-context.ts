import { isValidTraceState } from './trace-state.ts';

/** The trace context of a client, from the headers `traceparent` and `tracestate` (W3C Trace Context). */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the client records its spans. */
  readonly isSampled: boolean;
  /** The header `tracestate`; undefined if it is missing or invalid. */
  readonly traceState: string | undefined;
}

const format = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Reads the trace context of a request; undefined if `traceparent` is missing or invalid, in which case `tracestate` is ignored too. */
export function readTraceContext(header: (name: string) => string | null): TraceContext | undefined {
  const traceparent = header('traceparent');
  if (traceparent === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = format.exec(traceparent) ?? [];
  // Only later versions can have more fields. The version ff and IDs of only zeros are invalid.
  const isInvalid = version === undefined || version === 'ff' || (version === '00' && more !== undefined);
  if (isInvalid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceState = header('tracestate');
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & 1) === 1,
    traceState: traceState !== null && isValidTraceState(traceState) ? traceState : undefined,
  };
}

/** The headers that propagate a trace context. */
export function traceHeaders({
  traceId,
  spanId,
  isSampled,
  traceState,
}: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return traceState === undefined ? { traceparent } : { traceparent, tracestate: traceState };
}
