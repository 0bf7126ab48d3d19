import type { ObservedRequest, Observer, RequestObservation } from '@modelwire/ports';

/** Observes all requests. */
export interface CompleteObserver extends Observer {
  startRequest(request: ObservedRequest): RequestObservation;
}
