// Mistakes in the code: small changes of one syntax node that tests may not notice, and the mutants that are made of them.

import { parseAst } from 'vitest/node'
import { childOf, childrenOf, isNode, type Node, nameOf, propertyOf } from '../../support/project/source.ts'
import type { Mutant } from '../chaos/mutants/mutant.ts'
import { sqlEdits } from './sql-edits.ts'

export interface Edit {
  /** The kind of the mistake, like `negate a condition`. */
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly put: string
}

export interface GeneratedMutant extends Mutant, Edit {
  /** The path of the file, like `src/sales/limits.ts`. */
  readonly file: string
}

export const mutantsOf = (file: string, text: string): GeneratedMutant[] =>
  [...editsOf(text, parseAst(text, { lang: 'ts' }))].map((edit) => mutantOf(file, text, edit))

function mutantOf(file: string, text: string, edit: Edit): GeneratedMutant {
  const put = text.slice(0, edit.start) + edit.put + text.slice(edit.end)
  const from = text.lastIndexOf('\n', edit.start - 1) + 1
  const rest = text.length - edit.end - (/^.*/.exec(text.slice(edit.end))?.[0].length ?? 0)
  const shown = (version: string) =>
    version
      .slice(from, version.length - rest)
      .replaceAll(/\s+/g, ' ')
      .trim()
  const name = `${file}:${text.slice(0, edit.start).split('\n').length} ${edit.kind}`
  const changes = [{ file, find: text, put }]
  return { ...edit, name, mistake: `${shown(text)}  ->  ${shown(put)}`, changes, file }
}

type Maker = (text: string, node: Node) => Iterable<Edit>

const slice = (text: string, { start, end }: Node) => text.slice(start, end)
const instead = (kind: string, { start, end }: Node, put: string): Edit => ({ kind, start, end, put })

/** The replacement of each operator. */
const operators: Readonly<Record<string, { kind: string; put: string }>> = {
  '<': { kind: 'shift a comparison', put: '<=' },
  '<=': { kind: 'shift a comparison', put: '<' },
  '>': { kind: 'shift a comparison', put: '>=' },
  '>=': { kind: 'shift a comparison', put: '>' },
  '===': { kind: 'negate a comparison', put: '!==' },
  '!==': { kind: 'negate a comparison', put: '===' },
  '+': { kind: 'swap + and -', put: '-' },
  '-': { kind: 'swap + and -', put: '+' },
  '+=': { kind: 'swap + and -', put: '-=' },
  '-=': { kind: 'swap + and -', put: '+=' },
  '&&': { kind: 'swap && and ||', put: '||' },
  '||': { kind: 'swap && and ||', put: '&&' },
}

/** Replaces an operator. The result is in parentheses, so that the operands around it are not grouped differently. */
function* operator(text: string, node: Node): Iterable<Edit> {
  const { left, right, operator: own } = node
  const other = operators[String(own)]
  if (!other || !isNode(left) || !isNode(right)) return
  // The operands keep their own parentheses, which are outside of their nodes.
  const between = text.slice(left.end, right.start).replace(` ${own}`, ` ${other.put}`)
  const put = text.slice(node.start, left.end) + between + text.slice(right.start, node.end)
  yield instead(other.kind, node, `(${put})`)
}

function* condition(text: string, node: Node): Iterable<Edit> {
  const test = childOf(node, 'test')
  const then = childOf(node, 'consequent')
  if (then && isUnjudged(text, then) && !node.alternate) return
  // `===` and `!==` are skipped, since replacing the operator already negates them.
  if (!test || ['===', '!=='].includes(String(test.operator))) return
  const inner = test.operator === '!' ? childOf(test, 'argument') : undefined
  yield instead('negate a condition', test, inner ? slice(text, inner) : `!(${slice(text, test)})`)
}

/** Statements without mutants: logs, metrics, assertions and calls of `super`. */
const unjudged = /^(await )?(void )?(assert\(|super\(|([\w.]+\.)?(log|metrics)\b)/
const isUnjudged = (text: string, node: Node) =>
  node.type === 'ExpressionStatement' && unjudged.test(slice(text, node))

function* statement(_: string, node: Node): Iterable<Edit> {
  if (typeof node.directive !== 'string') yield instead('drop a statement', node, '{}')
}

function* called(text: string, node: Node): Iterable<Edit> {
  const given = childrenOf(node, 'arguments')
  const callee = childOf(node, 'callee')
  const name = nameOf(callee) ?? ''
  const bound = propertyOf(callee)
  const isBound = bound === 'min' || bound === 'max'
  // The arguments of these functions are not swapped, since their order makes no difference.
  if (!/^(eq|ne|and|or)$/.test(name) && !isBound) yield* swapped(text, given)
  if (/^(and|or)$/.test(name) && given.length > 1) yield* without('drop a condition', given)
  if (callee && isBound) yield instead('swap min and max', callee, `Math.${bound === 'min' ? 'max' : 'min'}`)
}

/** Swaps two neighbouring arguments of the same syntactic form. */
function* swapped(text: string, given: readonly Node[]): Iterable<Edit> {
  for (const [at, one] of given.entries()) {
    const next = given[at + 1]
    if (!next || one.type !== next.type || !/Identifier|MemberExpression/.test(one.type)) continue
    const put = `${slice(text, next)}, ${slice(text, one)}`
    yield { kind: 'swap two arguments', start: one.start, end: next.end, put }
  }
}

function* array(_: string, node: Node): Iterable<Edit> {
  const written = childrenOf(node, 'elements')
  const isOfWrites = written.some(({ type }) => /Call|Await|TaggedTemplate|Spread|Arrow/.test(type))
  if (written.length > 1 && isOfWrites) yield* without('drop an element', written)
}

/** Removes each element of a list in turn. */
function* without(kind: string, list: readonly Node[]): Iterable<Edit> {
  for (const [at, one] of list.entries()) {
    const next = list[at + 1]
    const before = list[at - 1]
    const range = next
      ? { start: one.start, end: next.start }
      : { start: before?.end ?? one.start, end: one.end }
    yield { kind, ...range, put: '' }
  }
}

/** Larger numbers are not changed: they are chosen sizes, durations and limits, for which one more or less makes no difference. */
const largestNumber = 100

function* literal(text: string, node: Node): Iterable<Edit> {
  const { value } = node
  if (typeof value === 'boolean') yield instead('flip a boolean', node, String(!value))
  if (typeof value !== 'number' && typeof value !== 'bigint') return
  if (value > largestNumber || !/^\d+n?$/.test(slice(text, node))) return
  yield instead('shift a number', node, typeof value === 'bigint' ? `${value + 1n}n` : String(value + 1))
}

function* body(_: string, node: Node): Iterable<Edit> {
  const block = childOf(node, 'body')
  if (block?.type !== 'BlockStatement' || childrenOf(block, 'body').length < 2) return
  yield { kind: 'return early', start: block.start + 1, end: block.start + 1, put: ' return;' }
}

function* template(text: string, node: Node): Iterable<Edit> {
  const quasi = childOf(node, 'quasi')
  if (quasi && nameOf(childOf(node, 'tag')) === 'sql') yield* sqlEdits(text, quasi)
}

const makers: Readonly<Record<string, Maker>> = {
  BinaryExpression: operator,
  LogicalExpression: operator,
  AssignmentExpression: operator,
  IfStatement: condition,
  ConditionalExpression: condition,
  WhileStatement: condition,
  ExpressionStatement: statement,
  CallExpression: called,
  ArrayExpression: array,
  Literal: literal,
  FunctionDeclaration: body,
  ArrowFunctionExpression: body,
  FunctionExpression: body,
  TaggedTemplateExpression: template,
}

/** A number that stands for a missing value, and the limit of a query whose first row is taken: one more is seldom seen. */
const isSpare = (text: string, { start, type }: Node) =>
  type === 'Literal' && /(\?\? |\.limit\()$/.test(text.slice(0, start))

/** Matches products of numbers like `30 * 24 * 60 * 60_000`. */
const isDuration = /^[\d_]+( \* ([\d_]+|(minute|hour|day)Ms))+$/

function* editsOf(text: string, tree: unknown): Generator<Edit> {
  const isLeftOut = (node: Node) =>
    isTypeOnly(node) || isUnjudged(text, node) || isSpare(text, node) || isDuration.test(slice(text, node))
  for (const node of nodesIn(tree, isLeftOut)) yield* makers[node.type]?.(text, node) ?? []
}

export const isTypeOnly = ({ type }: Node): boolean =>
  /^TS(?!As|Satisfies|NonNull)/.test(type) || type.startsWith('Import')

export function* nodesIn(value: unknown, isLeftOut: (node: Node) => boolean): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one, isLeftOut)
  if (!isNode(value) || isLeftOut(value)) return
  yield value
  for (const child of Object.values(value)) yield* nodesIn(child, isLeftOut)
}
