// The messages of one chat as rows in sections of days. Only the newest are drawn until the user asks for earlier ones.

import type { Message } from './api.ts'
import type { MessageActions, MessageContext } from './context.ts'
import { h, icon } from './dom.ts'
import { dayKey, dayName } from './format.ts'
import { t } from './i18n.ts'
import { createRow, type Group, type Row } from './row.ts'
import { createScroll, type Scroll } from './scroll.ts'

const pageSize = 150
const joinSeconds = 300

/** The key of a message's row: the messages of an album share one row. */
const keyOf = (message: Message) => message.media_group_id ?? message.message_id
type RowKey = ReturnType<typeof keyOf>

interface Options {
  readonly actions: MessageActions
  readonly showsSenders: boolean
  isOwn(message: Message): boolean
}

export class Conversation {
  readonly element: HTMLElement
  /** The place after the last message. */
  readonly tail = h('div.tail')
  private readonly context: MessageContext
  private readonly list = h('div.messages', { role: 'log', label: t('messages'), testid: 'messages' })
  private readonly earlier: HTMLButtonElement
  private readonly scroll: Scroll
  private readonly rows = new Map<RowKey, Row>()
  private readonly days = new Map<number, HTMLElement>()
  private messages = new Map<number, Message>()
  private drawn = pageSize

  constructor(options: Options) {
    this.context = { ...options, find: (id) => this.find(id) }
    this.earlier = h(
      'button.earlier',
      { testid: 'earlier', hidden: true, onclick: () => this.showEarlier() },
      icon('down'),
      t('earlier'),
    )
    this.scroll = createScroll([this.earlier, this.list, this.tail])
    this.element = this.scroll.element
  }

  settle(): void {
    this.scroll.settle()
  }

  toBottom(): void {
    this.scroll.toBottom()
  }

  destroy(): void {
    this.scroll.destroy()
  }

  /** All messages, oldest first. */
  all(): Message[] {
    return [...this.messages.values()].sort((a, b) => a.message_id - b.message_id)
  }

  find(id: number): Message | undefined {
    return this.messages.get(id)
  }

  rowOf(id: number): HTMLElement | undefined {
    const message = this.find(id)
    return message && this.rows.get(keyOf(message))?.element
  }

  /** Replaces everything that is shown. */
  show(all: readonly Message[]): void {
    this.messages = new Map(all.map((message) => [message.message_id, message]))
    this.drawAll()
    this.scroll.settle()
  }

  upsert(message: Message): void {
    const known = this.find(message.message_id)
    // The event of an edit comes without the reactions.
    const { reactions } = known ?? {}
    this.messages.set(message.message_id, reactions ? { reactions, ...message } : message)
    if (!known) this.drawn += 1
    this.draw(keyOf(message))
    if (known) this.drawRepliesTo(message.message_id)
    joinRows(this.list)
    if (known) this.scroll.settle()
    else this.scroll.arrived(this.context.isOwn(message))
  }

  react(id: number, reactions: NonNullable<Message['reactions']>): void {
    const message = this.find(id)
    if (!message) return
    this.messages.set(id, { ...message, reactions })
    this.draw(keyOf(message))
  }

  remove(ids: readonly number[]): void {
    const gone = ids.map((id) => this.find(id)).filter((one) => one !== undefined)
    for (const { message_id } of gone) this.messages.delete(message_id)
    for (const message of gone) this.draw(keyOf(message))
    joinRows(this.list)
  }

  jumpTo(id: number): void {
    if (!this.rowOf(id)) {
      this.drawn = this.messages.size
      this.drawAll()
    }
    const row = this.rowOf(id)
    if (row) highlight(row)
  }

  private showEarlier(): void {
    this.drawn += pageSize
    this.scroll.keepPlace(() => this.drawAll())
  }

  /** Draws the newest messages, and removes the rows of the others. */
  private drawAll(): void {
    const groups = Map.groupBy(this.all().slice(-this.drawn), keyOf)
    this.earlier.hidden = this.messages.size <= this.drawn
    for (const key of [...this.rows.keys()]) if (!groups.has(key)) this.erase(key)
    for (const [key, group] of groups) this.draw(key, group)
    joinRows(this.list)
  }

  private draw(key: RowKey, messages = this.all().filter((one) => keyOf(one) === key)): void {
    const [first, ...others] = messages
    if (first) this.drawGroup(key, [first, ...others])
    else this.erase(key)
  }

  private drawGroup(key: RowKey, group: Group): void {
    const [first] = group
    const row = this.rows.get(key) ?? createRow(this.context)
    this.rows.set(key, row)
    row.update(group)
    if (!row.element.isConnected) placeRow(row.element, first, this.sectionOf(first))
  }

  /** Draws the replies to a message again: their quotes show the message as it is now. */
  private drawRepliesTo(id: number): void {
    for (const message of this.messages.values()) {
      const key = keyOf(message)
      if (message.reply_to_message?.message_id === id && this.rows.has(key)) this.draw(key)
    }
  }

  private erase(key: RowKey): void {
    const row = this.rows.get(key)
    if (!row) return
    const section = row.element.parentElement
    row.element.remove()
    this.rows.delete(key)
    if (!section || section.querySelector('.row')) return
    this.days.delete(Number(section.dataset.day))
    section.remove()
  }

  private sectionOf({ date }: Message): HTMLElement {
    const key = dayKey(date)
    const known = this.days.get(key)
    if (known) return known
    const label = h('div.day', {}, h('span', { testid: 'day' }, dayName(date)))
    const section = h('section.day-section', { 'data-day': String(key) }, label)
    const later = [...this.days.keys()].filter((one) => one > key)
    this.list.insertBefore(section, this.days.get(Math.min(...later)) ?? null)
    this.days.set(key, section)
    return section
  }
}

function placeRow(element: HTMLElement, message: Message, section: HTMLElement): void {
  element.dataset.date = String(message.date)
  element.dataset.from = String(message.from?.id ?? '')
  const rows = [...section.querySelectorAll<HTMLElement>(':scope > .row')]
  const next = rows.find((one) => Number(one.dataset.messageId) > message.message_id)
  section.insertBefore(element, next ?? null)
}

/** Marks the rows of messages that one sender wrote within a few minutes: they are drawn close together, under one name. */
function joinRows(list: HTMLElement): void {
  let above: HTMLElement | undefined
  for (const row of list.querySelectorAll<HTMLElement>('.row')) {
    const joins = above !== undefined && belongs(above, row)
    row.classList.toggle('joined', joins)
    above?.classList.toggle('goes-on', joins)
    above = row
  }
  above?.classList.remove('goes-on')
}

const belongs = (above: HTMLElement, row: HTMLElement): boolean =>
  above.parentElement === row.parentElement &&
  above.dataset.from === row.dataset.from &&
  !above.classList.contains('service-row') &&
  Number(row.dataset.date) - Number(above.dataset.date) < joinSeconds

function highlight(row: HTMLElement): void {
  row.scrollIntoView({ block: 'center', behavior: 'smooth' })
  row.classList.remove('flash')
  // Reading the layout makes the browser notice the removal, so that the animation starts again.
  void row.offsetWidth
  row.classList.add('flash')
  row.addEventListener('animationend', () => row.classList.remove('flash'), { once: true })
}
