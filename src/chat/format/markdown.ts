// Converts Markdown into texts with marks and files. An answer in JSON is one block of code.

import { type Block, type Code, readBlocks, type Table } from './blocks.ts'
import { isBlank, normalized, shownCode, shownText, widthOf } from './characters.ts'
import { type Flow, joined, plainFlow, styled } from './flow.ts'
import { type Definitions, nameOf, readInline } from './inline.ts'
import { isJson } from './lines.ts'

const definition = /^ {0,3}\[([^\]^][^\]]{0,199})\]:[ \t]*<?([^\s<>]+)/

/** Link reference definitions. They also stay in the text, where they serve as a list of sources. */
function definitionsOf(lines: readonly string[]): Definitions {
  const definitions = new Map<string, string>()
  for (const line of lines) {
    const [, name, address] = definition.exec(line) ?? []
    if (name !== undefined && address !== undefined) definitions.set(nameOf(name), address)
  }
  return definitions
}

type Options = Omit<RenderOptions, 'definitions'>

export function renderMarkdown(markdown: string, options: Options): (Flow | CodeFile)[] {
  const text = normalized(markdown)
  if (isJson(text)) return renderBlocks([jsonBlock(text.trim())], { ...options, definitions: new Map() })
  const lines = text.split('\n')
  return renderBlocks(readBlocks(lines), { ...options, definitions: definitionsOf(lines) })
}

const jsonBlock = (code: string): Block => ({
  kind: 'code',
  code,
  info: 'json',
  isOpen: false,
  hasGap: false,
})

// Renders blocks as text with marks. Long code becomes a file.

/** The longest code in a message, in characters; longer code becomes a file. */
const longestCode = 3000
/** Longer quotes are folded. */
const longestQuote = { characters: 600, lines: 8 }

interface RenderOptions {
  readonly definitions: Definitions
  readonly isUnfinished?: boolean | undefined
  readonly isQuoted?: boolean
  readonly hasFiles?: boolean
}

interface CodeFile {
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

function renderQuote({ blocks }: Of<'quote'>, { hasFiles: _, ...options }: RenderOptions): Flow {
  const flow = joined(textsIn(renderBlocks(blocks, { ...options, isQuoted: true })))
  if (options.isQuoted) return flow
  const isLong =
    flow.text.length > longestQuote.characters || flow.text.split('\n').length > longestQuote.lines
  return styled(flow, { type: isLong ? 'expandable_blockquote' : 'blockquote' })
}

/** The texts between the files. */
export const textsIn = (parts: readonly (Flow | CodeFile)[]): Flow[] =>
  parts.filter((part) => 'marks' in part)

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

/** Texts and files in turn, beginning and ending with a text. Only the last block of an unfinished text is unfinished. */
function renderBlocks(blocks: readonly Block[], options: RenderOptions): (Flow | CodeFile)[] {
  const parts: (Flow | CodeFile)[] = []
  let flows: Flow[] = []
  for (const [index, block] of blocks.entries()) {
    if (options.hasFiles && block.kind === 'code' && block.code.length > longestCode) {
      const { name, caption } = codeFile(block.info)
      addTo(flows, plainFlow(shownText(caption)))
      parts.push(joined(flows), { name, text: `${block.code}\n` })
      flows = []
    } else {
      const isUnfinished = options.isUnfinished && index === blocks.length - 1
      addTo(flows, renderBlock(block, { ...options, isUnfinished }), block.hasGap ? '\n\n' : '\n')
    }
  }
  return [...parts, joined(flows)]
}

function addTo(flows: Flow[], flow: Flow, gap = '\n'): void {
  if (flow.text === '') return
  if (flows.length > 0) flows.push(plainFlow(gap))
  flows.push(flow)
}

/** The widest table, in columns of a screen; wider ones wrap on most screens. */
const widest = 60

const separatorWidth = 3

const padded = (cell: string, width: number): string => cell + ' '.repeat(width - widthOf(cell))

/** @returns undefined when the columns are too wide */
function inColumns(rows: readonly (readonly string[])[]): string | undefined {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), 1),
  )
  if (widths.reduce((sum, width) => sum + width + separatorWidth, -separatorWidth) > widest) return undefined
  const lines = rows.map((row) =>
    widths
      .map((width, at) => padded(row[at] ?? '', width))
      .join(' | ')
      .trimEnd(),
  )
  const [first = '', ...others] = lines
  return [first, widths.map((width) => '-'.repeat(width)).join('-+-'), ...others].join('\n')
}

// The info string of a code fence: the language and a file name.

interface CodeInfo {
  readonly language?: string
  /** The rest of the info string, often a file name; shown above the code. */
  readonly caption: string
}

function codeInfo(info: string): CodeInfo {
  const found = /^([\w+#.-]{1,32})(?:$|[\s:,]\s*(.*)|(?=\{)(.*))$/.exec(info)
  if (!found?.[1]) return { caption: info }
  return { language: found[1].toLowerCase(), caption: found[2] ?? found[3] ?? '' }
}

const extensions: Readonly<Record<string, string>> = {
  python: 'py',
  python3: 'py',
  javascript: 'js',
  typescript: 'ts',
  'c++': 'cpp',
  'c#': 'cs',
  csharp: 'cs',
  rust: 'rs',
  ruby: 'rb',
  kotlin: 'kt',
  golang: 'go',
  bash: 'sh',
  shell: 'sh',
  powershell: 'ps1',
  markdown: 'md',
  plaintext: 'txt',
  text: 'txt',
}

/** A short language name is also its file extension. */
const extensionOf = (language: string): string | undefined =>
  extensions[language] ?? (/^[a-z][a-z0-9]{0,4}$/.test(language) ? language : undefined)

/** The file name for code with that info string, and the part of the info string that the name does not contain. */
function codeFile(info: string): { name: string; caption: string } {
  const { language = 'txt', caption } = codeInfo(info)
  if (language === 'dockerfile' || language === 'makefile') return { name: language, caption }
  const extension = extensionOf(language)
  return extension ? { name: `code.${extension}`, caption } : { name: 'code.txt', caption: info }
}
