/** Shows the progress of a download: one line that is rewritten on a terminal, otherwise a line for every tenth. */
export function showProgress(
  name: string,
  print: (text: string) => void,
  isTerminal = process.stdout.isTTY,
): (received: number, total: number) => void {
  const step = isTerminal ? 1 : 10;
  let shown = -1;
  return (received, total) => {
    const percent = Math.floor((received / total) * 100);
    if (Math.floor(percent / step) === shown) return;
    shown = Math.floor(percent / step);
    const line = `${name}: ${percent} % of ${formatBytes(total)}`;
    if (!isTerminal) print(`${line}\n`);
    else print(`\r${line}${received === total ? '\n' : ''}`);
  };
}

function formatBytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
