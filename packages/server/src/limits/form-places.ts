import { overloaded } from '../errors.ts';

/** Bounds how many forms are received at once: each holds what is on its way to the blob store, up to an hour. */
export interface FormPlaces {
  /** Call what it gives when the form is there, or never will be. @throws a 503 when as many are being received. */
  enter(): () => void;
}

/** Seconds after which it may be tried again. */
const againSeconds = 5;

export function createFormPlaces(most: number): FormPlaces {
  let taken = 0;
  return {
    enter() {
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
