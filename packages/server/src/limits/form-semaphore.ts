import { overloaded } from '../errors.ts';

/** Limits how many forms are received at once: each buffers data on its way to the blob store, for up to an hour. */
export interface FormSemaphore {
  /** Returns a function that releases the permit. @throws a 503 when too many forms are being received. */
  acquire(): () => void;
}

/** Value of `Retry-After`. */
const retryAfterSeconds = 5;

export function createFormSemaphore(maxForms: number): FormSemaphore {
  let active = 0;
  return {
    acquire() {
      if (active >= maxForms) throw overloaded(retryAfterSeconds);
      active++;
      let isReleased = false;
      return () => {
        if (!isReleased) active--;
        isReleased = true;
      };
    },
  };
}
