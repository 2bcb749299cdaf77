// Finds the functions of a file. A test covers a mutant if it runs the innermost function around the change.

import { parseAst } from 'vitest/node'
import { childOf, type Node } from '../../support/project/source.ts'
import type { Change } from '../chaos/mutants/mutant.ts'
import { isTypeOnly, nodesIn } from './code-edits.ts'

interface FunctionBody {
  readonly isBlock: boolean
  readonly start: number
  readonly end: number
}

const isFunction = ({ type }: Node) =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

function bodiesOf(text: string): FunctionBody[] {
  const functions = [...nodesIn(parseAst(text, { lang: 'ts' }), isTypeOnly)].filter(isFunction)
  return functions.flatMap((one) => {
    const body = childOf(one, 'body')
    return body ? [{ isBlock: body.type === 'BlockStatement', start: body.start, end: body.end }] : []
  })
}

/** The number of the innermost function around a position; undefined outside of all functions. */
export function functionAt(text: string, at: number): number | undefined {
  const around = [...bodiesOf(text).entries()].filter(([, { start, end }]) => start <= at && at < end)
  return around.toSorted(([, a], [, b]) => b.start - a.start)[0]?.[0]
}

/** Inserts a call of `mark('<file> <number>')` at the start of every function. @param marks the module that exports `mark` */
export function marked(file: string, text: string, marks: string): Change {
  const inserted = bodiesOf(text).flatMap(({ isBlock, start, end }, number) => {
    const call = `$mark('${file} ${number}')`
    if (isBlock) return [{ at: start + 1, put: ` ${call};` }]
    return [
      { at: start, put: `(${call}, ` },
      { at: end, put: ')' },
    ]
  })
  let put = text
  for (const one of inserted.toSorted((a, b) => b.at - a.at))
    put = put.slice(0, one.at) + one.put + put.slice(one.at)
  return { file, find: text, put: `import { mark as $mark } from '${marks}'\n${put}` }
}
