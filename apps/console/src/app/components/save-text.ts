/** Offers a text as a download. */
export function saveText(filename: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // The download has its own reference to the bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
