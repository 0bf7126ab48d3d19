// What a package promises in types, as text: every export of every entry point, and the declarations behind them that have no
// export of their own but whose change its users would notice. Made of the built .d.ts, so it is what they get.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const printer = ts.createPrinter({ removeComments: true });

/** The report of the package in `folder`, built already. */
export function apiReport(folder) {
  const { name, publishConfig } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.entries(publishConfig?.exports ?? {}).flatMap(([entry, target]) =>
    typeof target?.types === 'string' ? [{ entry, file: join(folder, target.types) }] : [],
  );
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      noEmit: true,
      noLib: true,
      types: [],
      noResolve: false,
    },
  );
  const checker = program.getTypeChecker();
  const dist = join(folder, 'dist');
  const shown = new Map();
  const queue = [];
  let text = `# ${name}\n\nMade by \`npm run api\`; a change here is a change of what users compile against.\n`;

  for (const { entry, file } of entries) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module: is ${name} built?`);
    const exported = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const blocks = exported.map((symbol) => {
      const real = resolved(symbol);
      const own = declarationsOf(real);
      if (own.length === 0) return `export ${symbol.name}; // of ${origin(symbol)}`;
      const where = shown.get(real);
      if (where !== undefined) return `export ${symbol.name}; // as in ${where}`;
      shown.set(real, JSON.stringify(entry));
      queue.push(...own);
      const alias = symbol.name === real.name ? '' : `// as ${symbol.name}\n`;
      return alias + own.map(print).join('\n');
    });
    const path = entry === '.' ? name : `${name}/${entry.replace(/^\.\//, '')}`;
    text += `\n## ${path}\n\n\`\`\`ts\n${blocks.join('\n')}\n\`\`\`\n`;
  }

  // Breadth first: each declaration names what is behind it.
  const behind = [];
  for (let node = queue.shift(); node; node = queue.shift()) {
    visit(node, (symbol) => {
      const real = resolved(symbol);
      const own = declarationsOf(real).filter((declaration) => topLevel(declaration));
      if (own.length === 0 || shown.has(real)) return;
      shown.set(real, 'behind');
      queue.push(...own);
      const from = relative(dist, own[0].getSourceFile().fileName).replace(/\.d\.ts$/, '');
      behind.push({ key: `${real.name} ${from}`, text: `// ${from}\n${own.map(print).join('\n')}` });
    });
  }
  if (behind.length > 0) {
    const blocks = behind.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((block) => block.text);
    text += `\n## Not exported, seen through the above\n\n\`\`\`ts\n${blocks.join('\n')}\n\`\`\`\n`;
  }
  return text;

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** The package that a name comes from that is only passed on. */
  function origin(symbol) {
    // By `export *` nothing of ours names it: then it is of the package that declares it.
    let from = packageOf((symbol.declarations ?? resolved(symbol).declarations)?.[0]);
    for (let at = symbol; at && at.flags & ts.SymbolFlags.Alias; at = checker.getImmediateAliasedSymbol(at)) {
      for (const node of declarationsOf(at)) {
        const { moduleSpecifier } = node.parent?.parent ?? {};
        if (moduleSpecifier && !moduleSpecifier.text.startsWith('.')) from = moduleSpecifier.text;
      }
    }
    return from;
  }

  function declarationsOf(symbol) {
    return (symbol.declarations ?? []).filter((node) => node.getSourceFile().fileName.startsWith(`${dist}/`));
  }

  /** Each name that a declaration uses, qualified names and `import('…')` types included. */
  function visit(node, found) {
    if (ts.isIdentifier(node) || ts.isImportTypeNode(node)) {
      const symbol = ts.isIdentifier(node)
        ? checker.getSymbolAtLocation(node)
        : node.qualifier && checker.getSymbolAtLocation(node.qualifier);
      if (symbol) found(symbol);
    }
    ts.forEachChild(node, (child) => visit(child, found));
  }
}

function packageOf(node) {
  for (let at = node ? dirname(node.getSourceFile().fileName) : '/'; at !== dirname(at); at = dirname(at)) {
    const manifest = join(at, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).name;
  }
  return 'another package';
}

function topLevel(node) {
  return ts.isSourceFile(statement(node).parent);
}

/** `const` declarations sit in a list in a statement. */
function statement(node) {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

function print(node) {
  const whole = statement(node);
  const text = printer.printNode(ts.EmitHint.Unspecified, whole, whole.getSourceFile());
  return text.replace(/^export /, '').replace(/^(default )?declare /, '$1');
}
