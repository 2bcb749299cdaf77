// Converts Markdown into texts with marks and files.

import { readBlocks } from './blocks.ts'
import { normalized } from './characters.ts'
import type { JointFlow } from './flow.ts'
import type { Definitions } from './inline-state.ts'
import { nameOf } from './links.ts'
import { type CodeFile, type RenderOptions, render } from './render.ts'

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

export function renderMarkdown(
  markdown: string,
  options: Omit<RenderOptions, 'definitions'>,
): (JointFlow | CodeFile)[] {
  const lines = normalized(markdown).split('\n')
  const definitions = definitionsOf(lines)
  return render(readBlocks(lines), { ...options, definitions })
}
