/** The lists in the beginning of a JSON document: the look of their elements decides which of them has the users. */

import type { SourceRow } from '../providers/provider.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from './json-bytes.ts';
import { each, type Step } from './list-path.ts';

/** A list of objects, or an object whose values are objects. */
export interface FoundList {
  readonly steps: readonly Step[];
  /** The first complete element. */
  readonly first: SourceRow;
  /** For an object: the key of that element. */
  readonly key: string | undefined;
  /** Keys of the object around the list: its own, and those of plain values. Empty if an array or nothing is around it. */
  readonly siblings: readonly string[];
  /** Texts of all objects around it, by their keys. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/** Containers around a list: lists of users are not nested deeper. */
const depthLimit = 8;
/** The limit of followed keys of one object, and of found lists: objects by their keys have any number. */
const keysLimit = 64;
const listsLimit = 64;
const textBytesLimit = 256;

interface Element {
  readonly start: number;
  readonly end: number;
  readonly key: string | undefined;
}

/** All containers at one path. */
interface Node {
  readonly step: Step | undefined;
  readonly parent: Node | undefined;
  readonly depth: number;
  readonly children: Map<Step, Node>;
  /** Keys of plain values. */
  readonly plain: Set<string>;
  readonly texts: Map<string, Set<string>>;
  /** For an array, and an object with only objects in it: the first element. */
  inArray: Element | undefined;
  inObject: Element | undefined;
  /** There was an object whose values are not all objects. */
  isRecord: boolean;
}

interface Frame {
  readonly isArray: boolean;
  readonly start: number;
  /** undefined: too deep, or over the limit. */
  readonly node: Node | undefined;
  /** Its key in the object around it. */
  readonly key: string | undefined;
  isKeyNext: boolean;
  lastKey: string | undefined;
  first: Element | undefined;
  hasOthers: boolean;
}

/** The lists of a document, in its order, including those in the elements of another one. @param bytes of its beginning, in UTF-8 */
export function listsIn(bytes: Buffer): readonly FoundList[] {
  const root = newNode(undefined, undefined);
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const frame = frames.at(-1);
    if (byte === quote) {
      const end = endOfString(bytes, at);
      if (end < 0) break;
      if (frame !== undefined) noteString(frame, bytes, { start: at, end });
      at = end;
    } else if (byte === openBrace || byte === openBracket)
      frames.push(frameOf(frame, byte === openBracket, { at, root }));
    else if (byte === closeBrace || byte === closeBracket) {
      if (frame === undefined) break;
      frames.pop();
      close(frame, frames.at(-1), at + 1);
    } else if (frame !== undefined) noteOther(frame, byte);
  }
  // The sample's end counts for containers whose end it does not show.
  for (const frame of frames) settle(frame);
  return listsOf(root, bytes).slice(0, listsLimit);
}

function newNode(parent: Node | undefined, step: Step | undefined): Node {
  return {
    step,
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    children: new Map(),
    plain: new Set<string>(),
    texts: new Map<string, Set<string>>(),
    inArray: undefined,
    inObject: undefined,
    isRecord: false,
  };
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return -1;
}

function frameOf(
  around: Frame | undefined,
  isArray: boolean,
  { at, root }: { readonly at: number; readonly root: Node },
): Frame {
  const key = around?.isArray === false ? around.lastKey : undefined;
  const node = around === undefined ? root : childOf(around, key);
  if (isArray && around?.isArray === false) around.hasOthers = true;
  return {
    isArray,
    start: at,
    node,
    key,
    isKeyNext: !isArray,
    lastKey: undefined,
    first: undefined,
    hasOthers: false,
  };
}

function childOf({ node, isArray }: Frame, key: string | undefined): Node | undefined {
  const step = isArray ? each : key;
  if (node === undefined || step === undefined || node.depth >= depthLimit) return undefined;
  const known = node.children.get(step);
  if (known !== undefined || node.children.size >= keysLimit) return known;
  const child = newNode(node, step);
  node.children.set(step, child);
  return child;
}

function noteString(
  frame: Frame,
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  if (frame.isKeyNext) {
    frame.isKeyNext = false;
    frame.lastKey = end - start > textBytesLimit ? undefined : textIn(bytes, start, end);
    return;
  }
  frame.hasOthers = true;
  const { node, lastKey } = frame;
  if (node === undefined || lastKey === undefined || node.plain.size >= keysLimit) return;
  node.plain.add(lastKey);
  if (end - start > textBytesLimit) return;
  const texts = node.texts.get(lastKey) ?? new Set();
  node.texts.set(lastKey, texts);
  if (texts.size < keysLimit) texts.add(textIn(bytes, start, end) ?? '');
}

function textIn(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start, end + 1)) as string;
  } catch {
    return undefined;
  }
}

function noteOther(frame: Frame, byte: number): void {
  if (byte === comma) frame.isKeyNext = !frame.isArray;
  else if (!isSpace(byte) && byte !== colon) notePlain(frame, byte);
}

/** A number, or one of the words of JSON. */
function notePlain(frame: Frame, byte: number): void {
  const isNull = byte === 0x6e || byte === 0x75 || byte === 0x6c;
  if (!isNull) frame.hasOthers = true;
  const { node, lastKey } = frame;
  if (node !== undefined && lastKey !== undefined && node.plain.size < keysLimit) node.plain.add(lastKey);
}

function close(frame: Frame, around: Frame | undefined, end: number): void {
  settle(frame);
  if (around !== undefined && !frame.isArray) around.first ??= { start: frame.start, end, key: frame.key };
}

function settle({ isArray, node, first, hasOthers }: Frame): void {
  if (node === undefined) return;
  if (isArray) node.inArray ??= first;
  else if (hasOthers) node.isRecord = true;
  else node.inObject ??= first;
}

function listsOf(node: Node, bytes: Buffer): FoundList[] {
  const element = node.inArray ?? (node.isRecord ? undefined : node.inObject);
  const first = element && recordIn(bytes, element);
  const own = element === undefined || first === undefined ? [] : [listOf(node, first, element.key)];
  return [...own, ...[...node.children.values()].flatMap((child) => listsOf(child, bytes))];
}

function recordIn(bytes: Buffer, { start, end }: Element): SourceRow | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as SourceRow;
  } catch {
    return undefined;
  }
}

function listOf(node: Node, first: SourceRow, key: string | undefined): FoundList {
  const { step, parent } = node;
  const isHeld = typeof step === 'string' && parent !== undefined;
  return {
    steps: [...stepsTo(node), each],
    first,
    key,
    siblings: isHeld ? [step, ...parent.plain] : [],
    texts: isHeld ? Object.fromEntries([...parent.texts].map(([name, texts]) => [name, [...texts]])) : {},
  };
}

function stepsTo({ step, parent }: Node): readonly Step[] {
  return step === undefined || parent === undefined ? [] : [...stepsTo(parent), step];
}
