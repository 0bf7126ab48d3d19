import type { AttemptObservation } from '@modelwire/ports';
import type { Permit } from '@modelwire/adapter-kit/internal';

export interface ObservedPermitInit {
  /** Status of the reply. */
  readonly status: number;
  readonly observation: AttemptObservation | undefined;
  /** Called with the reason if the reply turns out to be a failure. */
  readonly onFailure: (reason: string) => void;
}

/** The same permit, which also ends the observation of its attempt when the reply has been read, has failed, or is released. */
export function observedPermit(permit: Permit, { status, observation, onFailure }: ObservedPermitInit): Permit {
  let hasEnded = false;
  function once(end: () => void): void {
    if (hasEnded) return;
    hasEnded = true;
    end();
  }
  return {
    responded: permit.responded,
    succeeded() {
      permit.succeeded();
      once(() => observation?.end({ status }));
    },
    failed(reason) {
      permit.failed(reason);
      once(() => {
        observation?.end({ status, failure: reason });
        onFailure(reason);
      });
    },
    released() {
      permit.released();
      once(() => observation?.end({ status, aborted: true }));
    },
  };
}
