// Renders blocks as text with marks. Long code becomes a file.

import type { Block, Code, Table } from './block.ts'
import { isBlank, shownCode, shownText } from './characters.ts'
import type { Flow } from './entity.ts'
import { buildFlow, type FlowBuilder, type JointFlow, joined, plainFlow, styled } from './flow.ts'
import { readInline } from './inline.ts'
import type { Definitions } from './inline-state.ts'
import { codeFile, codeInfo } from './language.ts'
import { inColumns } from './table.ts'

/** The longest code in a message, in characters; longer code becomes a file. */
const longestCode = 3000
/** Longer quotes are folded. */
const longestQuote = { characters: 600, lines: 8 }

export interface RenderOptions {
  readonly definitions: Definitions
  readonly isUnfinished?: boolean
  readonly isQuoted?: boolean
  /** Long code becomes files. */
  readonly hasFiles?: boolean
}

export interface CodeFile {
  readonly name: string
  readonly text: string
}

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

const indentation = (level: number): string => '   '.repeat(Math.min(level, 12))
const bullets = ['•', '◦', '▪'] as const

function renderText(text: string, level: number, options: RenderOptions): Flow {
  const indent = indentation(level)
  const { definitions, isUnfinished = false } = options
  return joined([plainFlow(indent), readInline(text, { definitions, indent, isUnfinished })])
}

function renderItem({ text, level, marker }: Of<'item'>, options: RenderOptions): Flow {
  const { definitions, isUnfinished = false } = options
  const bullet = marker === '-' ? (bullets[level] ?? bullets[2]) : marker
  const lead = `${indentation(level)}${bullet} `
  const inside = readInline(text, { definitions, indent: indentation(level + 1), isUnfinished })
  return joined([plainFlow(inside.text === '' ? lead.trimEnd() : lead), inside])
}

function renderCode({ code, info, isOpen }: Code, { isUnfinished }: RenderOptions): Flow {
  const { language, caption } = codeInfo(info)
  const shown = plainFlow(shownCode(code))
  // An empty code block shows its info string, unless its code is still being streamed.
  if (isBlank(shown.text)) return plainFlow(isUnfinished && isOpen ? '' : shownText(info))
  const pre = styled(shown, language === undefined ? { type: 'pre' } : { type: 'pre', language })
  return joined(
    [plainFlow(shownText(caption)), pre].filter(({ text }) => text !== ''),
    '\n',
  )
}

function renderRecord(header: readonly string[], row: readonly Flow[]): Flow {
  const lines = row.map((cell, at) => {
    const name = header[at] ?? ''
    const value = cell.text === '' ? plainFlow('—') : at === 0 ? styled(cell, { type: 'bold' }) : cell
    return joined([plainFlow(name === '' ? '' : `${name}: `), value])
  })
  return joined(lines, '\n')
}

/** Records repeat the names of the columns. In characters; with longer ones in all, a table is shown without names. */
const longestNames = 20_000

function renderTable({ header, rows }: Table, { definitions }: RenderOptions): Flow {
  const read = (cell: string) => readInline(cell, { definitions })
  const cells = [header, ...rows].map((row) => row.map(read))
  const texts = cells.map((row) => row.map(({ text }) => text.replaceAll('\n', ' ')))
  const hasLinks = cells.some((row) =>
    row.some(({ marks }) => marks.some(({ type }) => type === 'text_link')),
  )
  const columns = hasLinks ? undefined : inColumns(texts)
  if (columns !== undefined) return styled(plainFlow(columns), { type: 'pre' })
  const [names = [], ...records] = cells
  if (records.length === 0) return joined(names, ' | ')
  const nameLength = names.reduce((sum, { text }) => sum + text.length, 0)
  if (nameLength * records.length > longestNames) {
    return joined(
      cells.map((row) => joined(row, ' | ')),
      '\n',
    )
  }
  return joined(
    records.map((row) => renderRecord(texts[0] ?? [], row)),
    '\n\n',
  )
}

function renderQuote({ blocks }: Of<'quote'>, options: RenderOptions): Flow {
  const { hasFiles: _, ...inside } = options
  const flow = renderBlocks(blocks, { ...inside, isQuoted: true }).builder.flow()
  if (options.isQuoted) return flow
  const isLong =
    flow.text.length > longestQuote.characters || flow.text.split('\n').length > longestQuote.lines
  return styled(flow, { type: isLong ? 'expandable_blockquote' : 'blockquote' })
}

function renderBlock(block: Block, options: RenderOptions): Flow {
  switch (block.kind) {
    case 'text':
      return renderText(block.text, block.level, options)
    case 'heading':
      return styled(renderText(block.text, 0, options), { type: 'bold' })
    case 'item':
      return renderItem(block, options)
    case 'rule':
      return plainFlow('———')
    case 'quote':
      return renderQuote(block, options)
    case 'code':
      return renderCode(block, options)
    case 'table':
      return renderTable(block, options)
  }
}

function rankBehind(before: Block | undefined, hasGap: boolean): 'gap' | 'line' | 'never' {
  const isLeading = before?.kind === 'heading' || (before?.kind === 'text' && before.text.endsWith(':'))
  if (isLeading) return 'never'
  return hasGap ? 'gap' : 'line'
}

interface Rendering {
  readonly parts: (JointFlow | CodeFile)[]
  /** The text after the last file. */
  builder: FlowBuilder
}

function addFile(rendering: Rendering, { code, info }: Code): void {
  const { builder, parts } = rendering
  const { name, caption } = codeFile(info)
  if (caption !== '') builder.add(plainFlow(`${builder.length > 0 ? '\n' : ''}${shownText(caption)}`))
  parts.push(builder.flow(), { name, text: `${code}\n` })
  rendering.builder = buildFlow()
}

function addFlow(builder: FlowBuilder, before: Block | undefined, { hasGap }: Block, flow: Flow): void {
  if (flow.text === '') return
  if (builder.length > 0) builder.joint(hasGap ? '\n\n' : '\n', rankBehind(before, hasGap))
  builder.add(flow)
}

/** Only the last block of an unfinished text is unfinished. */
function optionsAt(index: number, blocks: readonly Block[], options: RenderOptions): RenderOptions {
  return { ...options, isUnfinished: options.isUnfinished === true && index === blocks.length - 1 }
}

function renderBlocks(blocks: readonly Block[], options: RenderOptions): Rendering {
  const rendering: Rendering = { parts: [], builder: buildFlow() }
  for (const [index, block] of blocks.entries()) {
    const isLong = block.kind === 'code' && block.code.length > longestCode
    if (options.hasFiles && isLong) addFile(rendering, block)
    else {
      const flow = renderBlock(block, optionsAt(index, blocks, options))
      addFlow(rendering.builder, blocks[index - 1], block, flow)
    }
  }
  return rendering
}

export function render(blocks: readonly Block[], options: RenderOptions): (JointFlow | CodeFile)[] {
  const { parts, builder } = renderBlocks(blocks, options)
  return [...parts, builder.flow()]
}

/** The last blocks, as many as are needed for a text of that length. */
export function renderEnd(blocks: readonly Block[], options: RenderOptions, length: number): JointFlow {
  const flows: Flow[] = []
  let rendered = 0
  for (let index = blocks.length - 1; index >= 0 && rendered < length; index -= 1) {
    const block = blocks[index]
    if (!block) break
    const flow = renderBlock(block, optionsAt(index, blocks, options))
    flows.unshift(flow)
    rendered += flow.text.trim().length
  }
  const builder = buildFlow()
  const start = blocks.length - flows.length
  for (const [at, flow] of flows.entries()) {
    const block = blocks[start + at]
    if (block) addFlow(builder, blocks[start + at - 1], block, flow)
  }
  return builder.flow()
}
