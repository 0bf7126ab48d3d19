/** Whether the character at a position in a string of JSON follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 0x5c) before--;
  return (at - before) % 2 === 0;
}
