import { readFileSync } from 'node:fs';

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The file that its first line names, `// app.ts` or `# modelwire.config.yaml`. */
  readonly file: string | undefined;
  /** What it prints: the block of language `text` that comes next. */
  readonly prints: string | undefined;
}

/** The fenced blocks of a page beside this folder, in their order. */
export function codeBlocks(page: string): CodeBlock[] {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
  const fences = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
  return fences.map(({ language, code }, at) => {
    const next = fences[at + 1];
    const file = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1];
    return { language, code, file, prints: next?.language === 'text' ? next.code : undefined };
  });
}

/** The block that is the file of this name. */
export function fileBlock(page: string, file: string): CodeBlock {
  const block = codeBlocks(page).find((one) => one.file === file);
  if (!block) throw new Error(`${page} has no block that begins with ${file}`);
  return block;
}
