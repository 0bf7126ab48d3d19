import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { contract } from '@modelwire/schema';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Of issues inside of the schemas, which become codes of ours in `problem.ts`. */
const codesOfZod = new Set(['custom', 'too_big', 'too_small']);

/** The packages whose errors a caller of the server gets. */
function answering(): string[] {
  const packages = readdirSync(join(root, 'packages')).filter((name) => /^(schema|ports|server|engine-.*)$/.test(name));
  return [...packages.map((name) => join('packages', name, 'src')), 'apps/server/src'];
}

/** Every `code` that is written in the sources of what answers, with the files that say it. */
export function errorCodes(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const files = answering().flatMap((folder) => sourcesOf(join(root, folder)));
  const sources = files.map((file) =>
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true),
  );
  const positions = codePositions(sources);
  for (const source of sources) {
    const note = (code: string): void => {
      if (codesOfZod.has(code)) return;
      const of = found.get(code) ?? new Set();
      found.set(code, of.add(relative(root, source.fileName)));
    };
    // A function of the same name that this file has for itself goes first.
    const own = new Set<string>();
    visit(source, (node) => {
      if (ts.isFunctionDeclaration(node) && node.name) own.add(node.name.text);
    });
    const here = codePositions([source]);
    const known = new Map([...positions].filter(([name]) => !own.has(name)).concat([...here]));
    visit(source, (node) => {
      for (const expression of codesGiven(node, known)) for (const code of literals(expression)) note(code);
    });
  }
  return found;
}

/** The status of each code that the contract lists. */
export function contractedCodes(): Map<string, number> {
  const errors = Object.values(contract).flatMap((endpoint) => endpoint.errors);
  return new Map(errors.flatMap(({ status, codes }) => codes.map((code) => [code, status] as const)));
}

/** The module of all codes. */
export function errorCodesSource(): string {
  const codes = new Set([...errorCodes().keys(), ...contractedCodes().keys()]);
  return `// Generated from the sources by \`npm run docs\`. Do not edit.

/** The error codes of this server. Other codes are those of upstreams. */
export const errorCodes: readonly string[] = [${[...codes]
    .toSorted()
    .map((code) => `'${code}',`)
    .join('')}];
`;
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$|(^|\/)(testing|suites)\//.test(name))
    .map((name) => join(folder, name));
}

/** Functions and classes with a parameter named `code`, and where it is. */
function codePositions(sources: readonly ts.SourceFile[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const source of sources) {
    visit(source, (node) => {
      if (!ts.isFunctionLike(node)) return;
      const at = node.parameters.findIndex(({ name }) => ts.isIdentifier(name) && name.text === 'code');
      const name = ts.isConstructorDeclaration(node)
        ? node.parent.name?.text
        : ts.isVariableDeclaration(node.parent)
          ? node.parent.name.getText()
          : node.name?.getText();
      if (at !== -1 && name !== undefined) positions.set(name, at);
    });
  }
  // A class without a constructor has that of its base.
  for (const source of sources) {
    visit(source, (node) => {
      if (!ts.isClassDeclaration(node) || node.members.some(ts.isConstructorDeclaration)) return;
      const at = positions.get(node.heritageClauses?.[0]?.types[0]?.expression.getText() ?? '');
      if (at !== undefined && node.name !== undefined) positions.set(node.name.text, at);
    });
  }
  return positions;
}

/** The expressions at a node that become a code: `code: …`, an argument for a parameter `code`, its default, `type Codes = …`. */
function codesGiven(node: ts.Node, positions: ReadonlyMap<string, number>): ts.Node[] {
  // `above` and `below` are the codes of a table of sizes.
  if (ts.isPropertyAssignment(node) && /^(code|above|below)$/.test(node.name.getText())) return [node.initializer];
  if (ts.isParameter(node) && node.name.getText() === 'code')
    return [node.initializer, node.type].filter((one) => one !== undefined);
  if (ts.isVariableDeclaration(node) && node.name.getText() === 'code' && node.initializer) return [node.initializer];
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const at = positions.get(node.expression.getText());
    const given = at === undefined ? undefined : node.arguments?.[at];
    return given ? [given] : [];
  }
  // The keys of a table of codes and their messages.
  if (ts.isVariableDeclaration(node) && node.name.getText() === 'errorMessages' && node.initializer)
    return keysOf(node.initializer);
  // A code and its message as a pair.
  if (
    ts.isArrayLiteralExpression(node) &&
    node.elements[0] &&
    ts.isStringLiteral(node.elements[0]) &&
    /_too_large$/.test(node.elements[0].text)
  )
    return [node.elements[0]];
  if (ts.isTypeAliasDeclaration(node) && /Code$/.test(node.name.text)) return [node.type];
  return [];
}

function keysOf(node: ts.Expression): ts.Node[] {
  const object = ts.isAsExpression(node) ? node.expression : node;
  return ts.isObjectLiteralExpression(object) ? object.properties.flatMap(({ name }) => (name ? [name] : [])) : [];
}

/** The snake_case texts that an expression may be; not those that it compares with or looks up by. */
function literals(node: ts.Node): string[] {
  if (ts.isStringLiteral(node) || ts.isIdentifier(node))
    return /^[a-z]+(_[a-z0-9]+)*$/.test(node.text) && (ts.isStringLiteral(node) || node.text.includes('_'))
      ? [node.text]
      : [];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return literals(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [...literals(node.left), ...literals(node.right)];
  }
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literals);
  if (ts.isLiteralTypeNode(node)) return literals(node.literal);
  return [];
}

function visit(node: ts.Node, seen: (node: ts.Node) => void): void {
  seen(node);
  ts.forEachChild(node, (child) => visit(child, seen));
}
