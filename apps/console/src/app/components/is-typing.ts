/** Whether a key event is input for a form field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])');
}
