import type { ObservedRequest, Observer, RequestObservation } from '@modelwire/ports';

/** An observer that never skips a request. */
export interface NonSkippingObserver extends Observer {
  startRequest(request: ObservedRequest): RequestObservation;
}
