import { isRecord } from '@modelwire/adapter-kit';
import { randomUUID } from 'node:crypto';
import { objectItems } from '../requests/json.ts';
import { areComplete, argumentsText } from './tool-call-arguments.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A call as far as it has been received. */
interface CallState {
  readonly kind: 'function' | 'custom';
  /** The indexes with which the server sends it. A call without an index has the key undefined. */
  readonly keys: unknown[];
  id: string;
  name: string;
  input: string;
  /** Its index in the reply; undefined until its start, with ID and name, has been passed on. */
  index: number | undefined;
}

/** One item of `tool_calls` in a delta. */
interface CallDelta {
  readonly item: Fields;
  readonly kind: CallState['kind'];
  readonly key: unknown;
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/**
 * Assembles the tool calls of one choice from the deltas of any server, and passes them on as the API defines: the first delta of a call has its
 * index, ID, type and whole name, the following ones its index and a piece of its arguments.
 *
 * Servers send the name late or in pieces, the ID late, changing, or never, all calls with the same index or without one, whole calls in one
 * delta, and one call as an object instead of a list.
 */
export class ToolCallAssembler {
  readonly #toolNames: ReadonlySet<string>;
  readonly #calls: CallState[] = [];
  #openedCount = 0;

  /** @param toolNames The tools of the request: a name among them is complete. */
  constructor(toolNames: ReadonlySet<string>) {
    this.#toolNames = toolNames;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** Reads `tool_calls` of a delta. Returns the same list if its items are right already. */
  read(toolCalls: unknown): readonly unknown[] {
    const items = isRecord(toolCalls) ? [toolCalls] : objectItems(toolCalls);
    const deltas = items.flatMap((item) => this.#readItem(toDelta(item, this.#toolNames)));
    const isSame =
      Array.isArray(toolCalls) &&
      toolCalls.length === deltas.length &&
      deltas.every((delta, at) => delta === toolCalls[at]);
    return isSame ? toolCalls : deltas;
  }

  /**
   * Passes on the calls that wait for the rest of their name, and `{}` as the arguments of functions that had none. A call whose name never came
   * is undefined, unless there is only one function that it can be.
   */
  end(): readonly Fields[] | undefined {
    const deltas: Fields[] = [];
    for (const call of this.#calls) {
      if (call.index === undefined) {
        const [onlyName = ''] = this.#toolNames.size === 1 ? this.#toolNames : [];
        if (call.name === '') call.name = onlyName;
        if (call.name === '' && call.input === '' && call.id === '') continue;
        if (call.name === '') return undefined;
        deltas.push(this.#open(call));
      }
      if (call.kind === 'function' && call.input.trim() === '') {
        call.input = '{}';
        deltas.push({ index: call.index, function: { arguments: '{}' } });
      }
    }
    return deltas;
  }

  #readItem(delta: CallDelta): readonly Fields[] {
    const call = this.#find(delta) ?? this.#create(delta);
    if (call.index !== undefined) {
      if (isRepeated(call, delta)) return [];
      call.input += delta.input;
      return continuation(call, delta);
    }
    if (delta.name !== '') call.name = this.#joinName(call.name, delta.name);
    if (call.id === '') call.id = delta.id;
    call.input += delta.input;
    if (!this.#canOpen(call)) return [];
    const earlier = this.#calls.slice(0, this.#calls.indexOf(call));
    const waiting = earlier.filter(({ index, name }) => index === undefined && name !== '');
    return [...waiting.map((one) => this.#open(one)), this.#open(call, delta.item)];
  }

  #create({ kind, key, id }: CallDelta): CallState {
    const call: CallState = { kind, keys: [key], id, name: '', input: '', index: undefined };
    this.#calls.push(call);
    return call;
  }

  /** The call that a delta continues; undefined for a new one. */
  #find(delta: CallDelta): CallState | undefined {
    const { key, id, name, input } = delta;
    const last = this.#calls.at(-1);
    let call = this.#calls.findLast(({ keys }) => keys.includes(key));
    if (key === undefined) call = this.#calls.findLast((one) => id !== '' && one.id === id) ?? last;
    else if (call === undefined && last && name === '' && (id === '' || id === last.id) && lacksInput(last, input)) {
      last.keys.push(key);
      return last;
    }
    return call && !this.#startsAnother(call, delta) ? call : undefined;
  }

  /** Whether a delta with the index of a call, or without an index, starts another one. */
  #startsAnother(call: CallState, { key, id, name, input }: CallDelta): boolean {
    const hasOtherId = id !== '' && call.id !== '' && id !== call.id;
    const isWhole = areComplete(call.input);
    if (name === '') return hasOtherId && key === undefined && isWhole;
    if (call.name === '') return false;
    const isSameName = name === call.name;
    if (hasOtherId) return !isSameName || call.input === '' || isWhole;
    // The last chunk of some servers repeats the whole call.
    if (isWhole) return !(id !== '' && id === call.id && isSameName && input === call.input);
    if (isSameName) return false;
    if (this.#toolNames.has(this.#joinName(call.name, name))) return false;
    return this.#toolNames.has(call.name) && this.#toolNames.has(name);
  }

  /** Names come in pieces, or again and again. */
  #joinName(before: string, piece: string): string {
    if (this.#toolNames.has(before + piece)) return before + piece;
    return before === piece || (piece.startsWith(before) && this.#toolNames.has(piece)) ? piece : before + piece;
  }

  /** Whether its name and its ID are known to be complete. Otherwise they are as soon as there are arguments. */
  #canOpen({ name, id, input }: CallState): boolean {
    if (name === '') return false;
    if (input !== '') return true;
    if (id === '' || !this.#toolNames.has(name)) return false;
    return ![...this.#toolNames].some((other) => other !== name && other.startsWith(name));
  }

  /** @param item The delta with which it starts: returned if it is right. */
  #open(call: CallState, item?: Fields): Fields {
    call.index = this.#openedCount++;
    if (call.id === '') call.id = `call_${randomUUID()}`;
    const { index, id, kind, name, input } = call;
    const inner = kind === 'function' ? { name, arguments: input } : { name, input };
    if (item && item['index'] === index && item['id'] === id && item['type'] === kind && hasFields(item[kind], inner)) {
      return item;
    }
    return { ...item, index, id, type: kind, [kind]: { ...(isRecord(item?.[kind]) && item[kind]), ...inner } };
  }
}

/** The name that a tool has in the request: gpt-oss writes its namespace and channel beside it, and some servers leave them there. */
export function requestedName(name: string, toolNames: ReadonlySet<string>): string {
  if (toolNames.has(name)) return name;
  const bare = name.replace(/^functions\./, '').replace(/<\|.*$/s, '');
  return toolNames.has(bare) ? bare : name;
}

function toDelta(item: Fields, toolNames: ReadonlySet<string>): CallDelta {
  const kind = isRecord(item['custom']) ? 'custom' : 'function';
  // Some servers put the name and the arguments next to the ID.
  const inner = isRecord(item[kind]) ? item[kind] : item;
  const input = kind === 'custom' ? inner['input'] : inner['arguments'];
  return {
    ...{ item, kind, key: item['index'] ?? undefined },
    ...{ id: textOrEmpty(item['id']), name: requestedName(textOrEmpty(inner['name']), toolNames) },
    input: argumentsText(input),
  };
}

/** Whether the arguments of the call are not complete, so that `input` can continue them. */
function lacksInput(call: CallState, input: string): boolean {
  if (call.input === '') return call.name !== '' && input !== '';
  return !areComplete(call.input);
}

/** Whether a delta repeats a call that is complete. */
function isRepeated(call: CallState, { id, name, input }: CallDelta): boolean {
  return (
    id !== '' && id === call.id && name === call.name && input !== '' && input === call.input && areComplete(input)
  );
}

/** The delta itself if it has neither name nor ID again. */
function continuation(call: CallState, { item, kind, id, name, input }: CallDelta): readonly Fields[] {
  const isRight = id === '' && name === '' && item['index'] === call.index && call.kind === kind;
  if (isRight && (input === '' || hasFields(item[kind], inputField(kind, input)))) return [item];
  return input === '' ? [] : [{ index: call.index, [call.kind]: inputField(call.kind, input) }];
}

function inputField(kind: CallState['kind'], input: string): Fields {
  return kind === 'function' ? { arguments: input } : { input };
}

function hasFields(value: unknown, expected: Fields): boolean {
  return isRecord(value) && Object.entries(expected).every(([name, field]) => value[name] === field);
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
