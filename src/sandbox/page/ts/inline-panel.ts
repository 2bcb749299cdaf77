// The bot's results for a query that is typed as `@bot query`. Choosing a result sends it.

import { ApiError, fileUrl, type InlineAnswer, type InlineResult } from './api.ts'
import { type Child, fill, focusedAt, h, type IconName, icon } from './dom.ts'
import { t } from './i18n.ts'
import { summary, thumbnailOf } from './quote.ts'

const pauseMs = 250

export interface InlineActions {
  /** The bot whose name begins a query. */
  readonly username: string
  ask(query: string, offset: string): Promise<InlineAnswer>
  choose(answer: InlineAnswer, result: InlineResult): void
  /** Opens the bot with a parameter. */
  start(payload: string): void
}

export class InlinePanel {
  readonly element = h('section.inline-panel', {
    hidden: true,
    testid: 'inline-panel',
    label: t('inlineResults'),
  })
  private readonly actions: InlineActions
  private timer: number | undefined
  /** The query whose answer is shown or awaited. */
  private query: string | undefined

  constructor(actions: InlineActions) {
    this.actions = actions
    this.element.addEventListener('keydown', (event) => this.moved(event))
  }

  /** Updates the panel for the typed text. */
  follow(text: string): void {
    const query = this.queryIn(text)
    if (query === this.query) return
    this.close()
    if (query === undefined) return
    this.query = query
    this.say(t('searching'))
    this.timer = setTimeout(() => void this.ask(query, ''), pauseMs)
  }

  close(): void {
    clearTimeout(this.timer)
    this.query = undefined
    this.element.hidden = true
  }

  /** A query is not sent as a message: Enter moves to the results. @returns whether the panel handled the key */
  onKey(event: KeyboardEvent): boolean {
    if (this.query === undefined || event.shiftKey) return false
    if (event.key === 'Escape') this.close()
    else if (event.key !== 'Enter' && event.key !== 'ArrowUp') return false
    else this.element.querySelector('button')?.focus()
    event.preventDefault()
    return true
  }

  private queryIn(text: string): string | undefined {
    const [, name, query] = /^@(\w+) (.*)$/s.exec(text) ?? []
    return name?.toLowerCase() === this.actions.username.toLowerCase() ? query?.trim() : undefined
  }

  private async ask(query: string, offset: string): Promise<void> {
    try {
      const answer = await this.actions.ask(query, offset)
      if (query === this.query) this.draw(query, answer, offset !== '')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (query === this.query) this.say(error.message)
    }
  }

  private say(words: string): void {
    fill(this.element, h('p.inline-note', { role: 'status', testid: 'inline-note' }, words))
    this.element.hidden = false
  }

  private draw(query: string, answer: InlineAnswer, isMore: boolean): void {
    const { results, next_offset, button } = answer
    this.element.querySelector('[data-testid=inline-more]')?.remove()
    const rows = results.map((one) => resultRow(one, () => this.actions.choose(answer, one)))
    const more = next_offset && moreButton(() => void this.ask(query, next_offset))
    const none = rows.length === 0 && h('p.inline-note', { testid: 'inline-note' }, t('nothingFound'))
    const start = button && startButton(button, this.actions.start)
    const before = isMore ? [...this.element.children] : [start, none]
    fill(this.element, before, rows, more)
  }

  private moved(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const rows = [...this.element.querySelectorAll('button')]
    rows.at((focusedAt(rows) + step) % rows.length)?.focus()
  }
}

const startButton = (button: { text: string; start_parameter: string }, start: (payload: string) => void) =>
  h(
    'button.inline-start',
    { testid: 'inline-start', onclick: () => start(button.start_parameter) },
    button.text,
  )

const moreButton = (onclick: () => void) =>
  h('button.inline-start', { testid: 'inline-more', onclick }, t('showMore'))

const signs: Readonly<Record<string, IconName>> = {
  video: 'video',
  audio: 'music',
  voice: 'mic',
  document: 'file',
  photo: 'image',
}

function picture({ type, content }: InlineResult): Child {
  const file = thumbnailOf(content)
  return file ? h('img', { src: fileUrl(file), alt: '', loading: 'lazy' }) : icon(signs[type] ?? 'reply')
}

function resultRow(result: InlineResult, onclick: () => void): HTMLElement {
  const title = result.title || summary(result.content)
  const description = result.description ?? result.content.caption
  return h(
    'button.inline-result',
    { testid: 'inline-result', onclick },
    h('span.file-sign', {}, picture(result)),
    h('span.file-words', {}, h('b', {}, title), description && h('small', {}, description)),
  )
}
