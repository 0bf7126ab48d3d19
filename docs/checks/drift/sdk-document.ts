import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as z from 'zod';
import { factsOf } from './facts.ts';
import { operationsIn } from './operations.ts';
import type { Operations } from './operations.ts';

type Schema = Readonly<Record<string, unknown>>;

/** An operation that a method of the SDK requests. */
interface SdkCall {
  readonly method: string;
  /** With the names of its parameters in braces. */
  readonly path: string;
  /** Fields of its `params` that are not in the body. */
  readonly separate: readonly string[];
}

/** An operation with what the overloads of the method declare. */
interface SdkOperation extends SdkCall {
  readonly parameters: Schema[];
  readonly bodies: Schema[];
  readonly responses: Schema[];
  readonly events: Schema[];
}

const manifestSchema = z.object({ name: z.enum(['openai', '@anthropic-ai/sdk']), version: z.string() });

/** The facts of an official SDK. @param folder Of npm's package. */
export function sdkFacts(
  folder: string,
  served: Operations,
): { readonly of: 'sdk' | 'messages'; readonly text: string } {
  const { name, version } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const operations = operationsIn(sdkDocument(folder));
  const source = `${name} ${version}`;
  return name === 'openai'
    ? { of: 'sdk', text: factsOf(operations, source, served) }
    : { of: 'messages', text: factsOf(messagesOperations(operations), source, served) };
}

/** The types of an official SDK in npm's package as an OpenAPI document. Its methods have the paths, and its declarations the fields. */
export function sdkDocument(folder: string): Schema {
  const program = ts.createProgram([join(folder, 'index.d.ts')], { strict: true, skipLibCheck: true, types: [] });
  const schemas = new TypeSchemas(program.getTypeChecker());
  const operations = new Map<string, SdkOperation>();
  for (const source of program.getSourceFiles()) {
    if (!source.fileName.startsWith(join(folder, 'resources'))) continue;
    const calls = callsIn(source.fileName.replace(/\.d\.ts$/, '.mjs'));
    for (const { name, members } of source.statements.filter(ts.isClassDeclaration)) {
      for (const declaration of members.filter(ts.isMethodDeclaration)) {
        const call = calls.get(`${name?.text}.${declaration.name.getText()}`);
        if (!call) continue;
        const id = `${call.method} ${call.path}`;
        const operation = operations.get(id) ?? { ...call, parameters: [], bodies: [], responses: [], events: [] };
        operations.set(id, operation);
        schemas.addSignature(declaration, operation);
      }
    }
  }
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { method, path, parameters, bodies, responses, events } of operations.values()) {
    const content = { 'application/json': anyOf(responses), 'text/event-stream': anyOf(events) };
    const requestBody = { content: { 'application/json': anyOf(bodies) } };
    paths[path] = { ...paths[path], [method]: { parameters, requestBody, responses: { 200: { content } } } };
  }
  return { paths, components: { schemas: schemas.components } };
}

/** The operations of the Messages API, without the version in their paths and without previews. */
function messagesOperations(operations: Operations): Operations {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, fields]) =>
      name.includes(' /v1/messages') && !name.endsWith('?beta=true') ? [[name.replace('/v1', ''), fields]] : [],
    ),
  );
}

const anyOf = (schemas: readonly Schema[]): Schema => ({ schema: { anyOf: schemas } });

/** The operation that each method of the classes in a file requests. */
function callsIn(file: string): ReadonlyMap<string, SdkCall> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);
  const calls = new Map<string, SdkCall>();
  for (const { name, members } of classesIn(source)) {
    for (const member of members.filter(ts.isMethodDeclaration)) {
      const request = requestIn(member);
      const [, separate = ''] = /const \{ ([^}]*)\.\.\.\w+ \} = params/.exec(member.getText()) ?? [];
      if (request)
        calls.set(`${name?.text}.${member.name.getText()}`, { ...request, separate: separate.match(/\w+/g) ?? [] });
    }
  }
  return calls;
}

/** Classes, also those in the functions that some packages wrap around them. */
function classesIn(node: ts.Node): readonly ts.ClassDeclaration[] {
  const classes: ts.ClassDeclaration[] = [];
  const visit = (one: ts.Node): void => {
    if (ts.isClassDeclaration(one)) classes.push(one);
    else ts.forEachChild(one, visit);
  };
  visit(node);
  return classes;
}

function requestIn(node: ts.Node): Pick<SdkCall, 'method' | 'path'> | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const method = name.text === 'getAPIList' ? 'get' : name.text;
    const path = node.arguments[0]?.getText().match(/^(?:path\s*)?['`](\/[^]*)['`]$/)?.[1];
    if (expression.getText().endsWith('._client') && path !== undefined)
      return { method, path: path.replaceAll('${', '{') };
  }
  return ts.forEachChild(node, requestIn);
}

/** What is sent in forms, and received as bytes. */
const binaryTypes: ReadonlySet<string> = new Set(['File', 'Response']);

/** JSON Schemas of types. Those of objects are components. */
class TypeSchemas {
  readonly components: Record<string, Schema> = {};
  readonly #checker: ts.TypeChecker;
  readonly #ids = new Map<ts.Type, string>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  addSignature(declaration: ts.MethodDeclaration, operation: SdkOperation) {
    const { method, path, separate, parameters, bodies, responses, events } = operation;
    for (const parameter of declaration.parameters) {
      const name = parameter.name.getText();
      const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(parameter));
      if (name === 'body') bodies.push(this.#schemaOf(type));
      if (name !== 'query' && name !== 'params') continue;
      const fields = this.#fieldsOf(type).filter(([field]) => !path.includes(`{${field}}`));
      const isInQuery = (field: string): boolean => name === 'query' || method !== 'post' || separate.includes(field);
      const inQuery = fields.filter(([field]) => isInQuery(field));
      parameters.push(...inQuery.map(([field, schema]) => ({ in: 'query', name: field, schema })));
      bodies.push({ properties: Object.fromEntries(fields.filter(([field]) => !isInQuery(field))) });
    }
    const returned = declaration.type && this.#checker.getTypeFromTypeNode(declaration.type);
    for (const type of partsOf(this.#argumentOf(returned))) {
      if (nameOf(type) === 'Stream') events.push(this.#schemaOf(this.#argumentOf(type)));
      else responses.push(this.#schemaOf(type));
    }
  }

  /** The first type argument. */
  #argumentOf(type: ts.Type | undefined): ts.Type | undefined {
    return type && isReference(type) ? this.#checker.getTypeArguments(type)[0] : undefined;
  }

  #schemaOf(type: ts.Type | undefined): Schema {
    if (!type) return {};
    if (partsOf(type).some((part) => binaryTypes.has(nameOf(part)))) return { type: 'string' };
    if (type.isUnion()) return { anyOf: type.types.filter(isPresent).map((one) => this.#schemaOf(one)) };
    if (type.isStringLiteral()) return { const: type.value };
    if (hasFlag(type, ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    const isText = type.isIntersection() && type.types.some((part) => hasFlag(part, ts.TypeFlags.String));
    if (isText || !(hasFlag(type, ts.TypeFlags.Object) || type.isIntersection())) return { type: 'string' };
    if (this.#checker.isArrayType(type)) return { type: 'array', items: this.#schemaOf(this.#argumentOf(type)) };
    return { $ref: `#/components/schemas/${this.#componentOf(type)}` };
  }

  #componentOf(type: ts.Type): string {
    const known = this.#ids.get(type);
    if (known !== undefined) return known;
    const id = `type${this.#ids.size}`;
    this.#ids.set(type, id);
    const fields = this.#fieldsOf(type);
    this.components[id] = fields.length > 0 ? { properties: Object.fromEntries(fields) } : { type: 'object' };
    return id;
  }

  /** Without methods and what the SDK adds for itself. */
  #fieldsOf(type: ts.Type): (readonly [string, Schema])[] {
    return this.#checker.getPropertiesOfType(type).flatMap((property) => {
      const own = this.#checker.getTypeOfSymbol(property);
      const isField = isPublic(property) && isPresent(own) && own.getCallSignatures().length === 0;
      return isField ? [[property.name, this.#schemaOf(own)] as const] : [];
    });
  }
}

function partsOf(type: ts.Type | undefined): readonly ts.Type[] {
  return type?.isUnion() === true ? type.types : type ? [type] : [];
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return 'target' in type;
}

function nameOf(type: ts.Type): string {
  return type.getSymbol()?.name ?? '';
}

function hasFlag({ flags }: ts.Type, flag: ts.TypeFlags): boolean {
  return (flags & flag) !== 0;
}

/** A field of the type `never` must not be there. */
function isPresent(type: ts.Type): boolean {
  return partsOf(type).some((one) => !hasFlag(one, ts.TypeFlags.Never | ts.TypeFlags.Undefined | ts.TypeFlags.Null));
}

function isPublic({ name, declarations = [] }: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return /^[a-z]/i.test(name) && declarations.every((node) => (ts.getCombinedModifierFlags(node) & hidden) === 0);
}
