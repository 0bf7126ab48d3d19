import { JSON_SCHEMA_MAX_EXPANSION } from '../limits.ts';

type Node = Readonly<Record<string, unknown>>;

/** Keywords with one schema, a list of schemas, or schemas by name. */
const SINGLE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['prefixItems', 'items'];
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];
/** Keywords whose schemas apply to the same value as the schema that contains them. */
const SINGLE_IN_PLACE = ['not', 'if', 'then', 'else'];
const LISTS_IN_PLACE = ['allOf', 'anyOf', 'oneOf'];
const MAPS_IN_PLACE = ['dependentSchemas', 'dependencies'];

/** Why a JSON Schema exceeds the limits of the server. */
export type SchemaExcess = 'schemas' | 'expansion' | 'circular';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const ownProperty = (value: object, key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value;
const listIn = (node: Node, key: string): readonly unknown[] => {
  const value = ownProperty(node, key);
  return Array.isArray(value) ? value : [];
};
const valuesIn = (node: Node, key: string): readonly unknown[] => {
  const value = ownProperty(node, key);
  return isNode(value) ? Object.values(value) : [];
};

/** The schema at a JSON pointer (`#`, `#/$defs/a`); undefined for anchors and for other documents. */
function target(reference: string, root: Node): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownProperty(value, unescape(step));
  }
  return value;
}

function unescape(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** The schemas that apply to the same value, `$ref` resolved. */
function inPlaceSchemas(node: Node, root: Node): Node[] {
  const reference = ownProperty(node, '$ref');
  return [
    typeof reference === 'string' ? target(reference, root) : undefined,
    ...SINGLE_IN_PLACE.map((key) => ownProperty(node, key)),
    ...LISTS_IN_PLACE.flatMap((key) => listIn(node, key)),
    ...MAPS_IN_PLACE.flatMap((key) => valuesIn(node, key)),
  ].filter(isNode);
}

/** The schemas that apply to parts of the value, and definitions. */
function subschemas(node: Node): Node[] {
  return [
    ...SINGLE.map((key) => ownProperty(node, key)),
    ...LISTS.flatMap((key) => listIn(node, key)),
    ...MAPS.flatMap((key) => valuesIn(node, key)),
  ].filter(isNode);
}

/** Counts the schemas of a whole request. */
export interface SchemaCounter {
  /** The limit that a schema exceeds; undefined if none. */
  add(schema: Node): SchemaExcess | undefined;
}

/**
 * Measures JSON Schemas before they are interpreted: their number, and the number of schemas that apply to one value when references are
 * resolved. A few hundred bytes of `$ref` within `allOf` can describe billions. Each schema is visited once, with an explicit stack, so that
 * the measurement is linear and deep nesting cannot overflow the call stack.
 */
export function createSchemaCounter(maxSchemas: number): SchemaCounter {
  let remaining = maxSchemas;
  return {
    add(root) {
      /** Number of schemas that apply to the same value, including this one; 0 while they are being counted. */
      const sizes = new Map<Node, number>();
      const unvisited: Node[] = [root];
      for (let start = unvisited.pop(); start; start = unvisited.pop()) {
        if (sizes.has(start)) continue;
        const stack = [createFrame(start)];
        for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
          if (remaining < 0) return 'schemas';
          const child = frame.children.pop();
          if (!child) {
            sizes.set(frame.node, frame.size);
            stack.pop();
            continue;
          }
          const size = sizes.get(child);
          if (size === 0) return 'circular';
          if (size === undefined) {
            // Counted when this frame is on top of the stack again.
            frame.children.push(child);
            stack.push(createFrame(child));
            continue;
          }
          frame.size += size;
          if (frame.size > JSON_SCHEMA_MAX_EXPANSION) return 'expansion';
        }
      }
      return undefined;

      function createFrame(node: Node): { readonly node: Node; readonly children: Node[]; size: number } {
        sizes.set(node, 0);
        const children = inPlaceSchemas(node, root);
        const parts = subschemas(node);
        remaining -= 1 + children.length;
        for (const part of parts) unvisited.push(part);
        return { node, children, size: 1 };
      }
    },
  };
}
