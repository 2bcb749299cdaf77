// Converts Markdown into texts with marks and files. An answer in JSON is one block of code.

import type { Block } from './block.ts'
import { readBlocks } from './blocks.ts'
import { normalized } from './characters.ts'
import type { JointFlow } from './flow.ts'
import type { Definitions } from './inline-state.ts'
import { isJson } from './json.ts'
import { nameOf } from './links.ts'
import { type CodeFile, type RenderOptions, render, renderEnd } from './render.ts'

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

export function renderMarkdown(markdown: string, options: Options): (JointFlow | CodeFile)[] {
  const { blocks, definitions } = read(markdown)
  return render(blocks, { ...options, definitions })
}

/** The end of a text that is still being written: at least that many characters, if there are so many. */
export function renderMarkdownEnd(markdown: string, length: number): JointFlow {
  const { blocks, definitions } = read(markdown)
  return renderEnd(blocks, { isUnfinished: true, definitions }, length)
}

function read(markdown: string): { blocks: readonly Block[]; definitions: Definitions } {
  const text = normalized(markdown)
  if (isJson(text)) return { blocks: [jsonBlock(text.trim())], definitions: new Map() }
  const lines = text.split('\n')
  return { blocks: readBlocks(lines), definitions: definitionsOf(lines) }
}

const jsonBlock = (code: string): Block => ({
  kind: 'code',
  code,
  info: 'json',
  isOpen: false,
  hasGap: false,
})
