// Converts a model's answer, thinking and sources into messages. For any input, every message is accepted by Telegram and no text is lost.

import type { Formatted, Piece } from '../../db/schema.ts'
import { messageLimit } from '../../texts.ts'
import { graphemeEnd, isBlank, normalized, shownText, trimmedEnd } from './characters.ts'
import { entityLimit, type Flow, joined, linksLimit, plainFlow, styled } from './flow.ts'
import { renderMarkdown, textsIn } from './markdown.ts'
import { cutOut, inOrder, split, visibleFrom } from './split.ts'
import { linkOf } from './urls.ts'

const asPiece = (formatted: Formatted): Piece => ({ kind: 'text', ...formatted })

/**
 * @param isUnfinished the answer was stopped or broke off: open markup is shown as if it were closed at the end
 * @returns no pieces for an answer without visible content
 */
export function formatAnswer(markdown: string, isUnfinished = false): Piece[] {
  return renderMarkdown(markdown, { hasFiles: true, isUnfinished }).flatMap((part) =>
    'name' in part ? [{ kind: 'file' as const, ...part }] : split(part).map(asPiece),
  )
}

export const plainPieces = (text: string): readonly Formatted[] => split(plainFlow(normalized(text)))

/** Formats thinking as a folded quote with a title. Thinking that is too long for one message is also attached as a file. */
export function formatThinking(text: string, title: string, isUnfinished = false): Piece[] {
  const thoughts = textsIn(renderMarkdown(text, { isQuoted: true, isUnfinished }))
  if (thoughts.every((flow) => flow.text === '')) return []
  const flow = joined([styled(plainFlow(title), { type: 'bold' }), ...thoughts], '\n')
  const [first, ...rest] = split(styled(flow, { type: 'expandable_blockquote' }))
  if (!first) return []
  if (rest.length === 0) return [asPiece(first)]
  return [asPiece(first), { kind: 'file', name: 'thinking.md', text: normalized(text) }]
}

export interface Source {
  readonly url: string
  readonly title?: string
}

const longestTitle = 80

function sourceFlow({ url, title = '' }: Source): Flow {
  const words = oneLine(title)
  const end = words.length > longestTitle ? graphemeEnd(words, 0, longestTitle) : words.length
  const name = words.slice(0, end) + (end < words.length ? '…' : '')
  const address = linkOf(url)
  if (address === undefined) return plainFlow(name === '' ? oneLine(url) : `${name} (${oneLine(url)})`)
  const host = new URL(address).hostname
  return styled(plainFlow(name === '' ? host : name), { type: 'text_link', url: address })
}

const oneLine = (text: string): string => shownText(normalized(text)).replace(/\s+/g, ' ').trim()

/** Formats sources as a label followed by numbered links in one line, without duplicate addresses. */
export function formatSources(sources: readonly Source[], label: string): Piece[] {
  const unique = [...new Map(sources.map((source) => [source.url, source])).values()]
  if (unique.length === 0) return []
  const links = unique.map((source, index) => joined([plainFlow(`${index + 1}. `), sourceFlow(source)]))
  return split(joined([plainFlow(`${label} `), joined(links, ' · ')])).map(asPiece)
}

/** Puts the sources below the last text of the answer if both fit into one message, else into messages of their own. */
export function withSources(answer: readonly Piece[], sources: readonly Piece[]): Piece[] {
  const [last, first, ...more] = [answer.at(-1), ...sources]
  if (last?.kind !== 'text' || first?.kind !== 'text' || more.length > 0) return [...answer, ...sources]
  const below = behind(`${last.text}\n\n`, first)
  const both = { text: below.text, entities: [...last.entities, ...below.entities] }
  return fits(both) ? [...answer.slice(0, -1), asPiece(both)] : [...answer, ...sources]
}

const behind = (before: string, { text, entities }: Formatted): Formatted => ({
  text: before + text,
  entities: entities.map((entity) => ({ ...entity, offset: entity.offset + before.length })),
})

function fits({ text, entities }: Formatted): boolean {
  const links = entities.reduce(
    (sum, entity) => sum + (entity.type === 'text_link' ? entity.url.length : 0),
    0,
  )
  return text.length <= messageLimit && entities.length <= entityLimit && links <= linksLimit
}

// An unfinished answer as one message: open markup is shown as if it were closed, and only the end of a long text is shown.

const omission = '…\n'
/** How many characters may be dropped so that the shown text starts at a line or word. */
const slack = 500
/** Longer than most graphemes. */
const graphemeLimit = 64

function tailStart(text: string): number {
  if (text.length <= messageLimit) return 0
  const earliest = text.length - messageLimit + omission.length
  for (const char of ['\n', ' ']) {
    const found = text.indexOf(char, earliest - 1)
    if (found !== -1 && found < earliest + slack) return found + 1
  }
  return graphemeEnd(text, earliest, earliest + graphemeLimit)
}

/** The message for an unfinished answer; its text is empty while the answer has no visible content. */
export function previewOf(markdown: string): Formatted {
  const { text, marks } = joined(textsIn(renderMarkdown(markdown, { isUnfinished: true })))
  if (isBlank(text)) return { text: '', entities: [] }
  const flow = { text: text.slice(0, trimmedEnd(text, 0, text.length)), marks: inOrder(marks) }
  const tail = tailStart(flow.text)
  const shown = cutOut(flow, visibleFrom(flow, tail), flow.text.length)
  const last = { ...shown, entities: shown.entities.slice(-entityLimit) }
  const sent = fits(last)
    ? last
    : { ...last, entities: last.entities.filter(({ type }) => type !== 'text_link') }
  return tail === 0 ? sent : behind(omission, sent)
}
