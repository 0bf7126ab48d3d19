/**
 * Makes prototype pollution fail where it happens, in this server's code or a library's: nothing can be added to the prototype of all
 * objects any more. Sealed and not frozen: libraries assign methods such as `toString` to their own objects, which a frozen prototype
 * forbids (tough-cookie does).
 */
export function sealObjectPrototype(): void {
  Object.seal(Object.prototype);
}
