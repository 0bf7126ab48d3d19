import { overloaded } from '../errors.ts';

/** Bounds how many forms are received at once: each holds what is on its way to the blob store, up to an hour. */
export interface FormSemaphore {
  /** Call what it gives when the form is there, or never will be. @throws a 503 when as many are being received. */
  acquire(): () => void;
}

/** Seconds after which it may be tried again. */
const againSeconds = 5;

export function createFormSemaphore(most: number): FormSemaphore {
  let taken = 0;
  return {
    acquire() {
      if (taken >= most) throw overloaded(againSeconds);
      taken++;
      let left = false;
      return () => {
        if (!left) taken--;
        left = true;
      };
    },
  };
}
