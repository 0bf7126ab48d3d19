/**
 * Seals `Object.prototype`, so that prototype pollution throws where it happens, in our code or in a library. Sealed rather than frozen:
 * libraries such as tough-cookie assign methods such as `toString` to their own objects, which a frozen prototype forbids.
 */
export function sealObjectPrototype(): void {
  Object.seal(Object.prototype);
}
