import { setFlagsFromString } from 'node:v8';

/**
 * Turns off V8's allocation-site pretenuring for the whole process. Call it once, before the first request. During startup V8 learns that
 * objects of some call sites survive, and later allocates the short-lived objects of requests in the old generation (docs/decisions/0009).
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
