import type TypeScript from 'typescript';

/**
 * Inserts `traceCall('<file>:<line> <function>')` at the start of each function of a TypeScript file. Line numbers do not change. Bodies of
 * generators run, and are recorded, from the first call of `next`.
 */
export function insertTraceCalls(ts: typeof TypeScript, file: string, text: string): string {
  const root = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const insertions: { readonly at: number; readonly text: string }[] = [];

  function visit(node: TypeScript.Node): void {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const { body } = node;
      const { line } = root.getLineAndCharacterOfPosition(node.getStart(root));
      const call = `traceCall(${JSON.stringify(`${file}:${line + 1} ${nameOf(node)}`)})`;
      if (ts.isBlock(body)) insertions.push({ at: body.getStart(root) + 1, text: ` ${call};` });
      else {
        insertions.push({ at: body.getStart(root), text: `(${call}, ` });
        insertions.push({ at: body.getEnd(), text: ')' });
      }
    }
    ts.forEachChild(node, visit);
  }
  function nameOf(node: TypeScript.SignatureDeclaration): string {
    if (ts.isConstructorDeclaration(node)) return 'constructor';
    if (node.name) return node.name.getText(root);
    const { parent } = node;
    return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
      ? parent.name.getText(root)
      : '(anonymous)';
  }
  visit(root);
  // Of two at the same position, the one that was found last belongs further in: it is inserted after the other.
  const ordered = insertions
    .map((insertion, order) => ({ ...insertion, order }))
    .sort((a, b) => a.at - b.at || a.order - b.order);
  let traced = '';
  let end = 0;
  for (const insertion of ordered) {
    traced += text.slice(end, insertion.at) + insertion.text;
    end = insertion.at;
  }
  return traced + text.slice(end);
}
