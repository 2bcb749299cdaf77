// The files of src as text and as syntax trees, for the tests that read the code itself.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export interface Source {
  /** The path below src, like `bot/card-view.ts`. */
  readonly path: string
  readonly text: string
  readonly nodes: readonly Node[]
}

const root = join(import.meta.dirname, '../../../src')

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The nodes of a value and everything in them, in the order of the text. */
export function walk(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const one of value) walk(one, found)
  if (!isNode(value)) return found
  found.push(value)
  for (const child of Object.values(value)) walk(child, found)
  return found
}

const nodesOf = (text: string) => walk(parseAst(text, { lang: 'ts' }))

export const sources: readonly Source[] = globSync('**/*.ts', { cwd: root })
  .toSorted()
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    let nodes: Node[] | undefined
    return {
      path,
      text,
      /** Parsed when it is first asked for. */
      get nodes() {
        nodes ??= nodesOf(text)
        return nodes
      },
    }
  })

export const lineOf = ({ text }: Source, at: number): number => text.slice(0, at).split('\n').length

/** The place of a node as `path:line`, which editors can open. */
export const placeOf = (source: Source, node: Node): string =>
  `src/${source.path}:${lineOf(source, node.start)}`

export const childOf = (node: Node, key: string): Node | undefined => {
  const value = node[key]
  return isNode(value) ? value : undefined
}

export const childrenOf = (node: Node, key: string): Node[] => {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** The text of a string literal. */
export const stringOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

export const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined

/** The name after the dot, if the node is an access like `a.b`. */
export const propertyOf = (node: Node | undefined): string | undefined =>
  node?.type === 'MemberExpression' && node.computed === false ? nameOf(childOf(node, 'property')) : undefined

/** The modules that a file imports or re-exports, in any syntax. */
export const importsOf = ({ nodes }: Source): { node: Node; from: string; typeOnly: boolean }[] =>
  nodes.flatMap((node) => {
    const ways = [
      'ImportDeclaration',
      'ExportNamedDeclaration',
      'ExportAllDeclaration',
      'ImportExpression',
      'TSImportType',
    ]
    const from = ways.includes(node.type) ? stringOf(childOf(node, 'source')) : undefined
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType'
    return from === undefined ? [] : [{ node, from, typeOnly }]
  })
