// The messages of one chat: rows in sections of days, kept in step with what the chat says. Only the newest are
// drawn until earlier ones are asked for.

import { h, icon } from './dom.ts'
import { dayKey, dayName } from './format.ts'
import { t } from './i18n.ts'
import { createRow } from './row.ts'
import { createScroll } from './scroll.ts'

const pageSize = 150
const joinSeconds = 300

/** The messages of an album stand in one row. */
const keyOf = (message) => message.media_group_id ?? message.message_id

export class Conversation {
  /** @param {{ actions: object, isOwn(message: object): boolean, showsSenders: boolean }} context */
  constructor(context) {
    this.context = { ...context, find: (id) => this.find(id) }
    this.messages = new Map()
    this.rows = new Map()
    this.days = new Map()
    this.drawn = pageSize
    this.list = h('div.messages', { role: 'log', label: t('messages'), testid: 'messages' })
    this.tail = h('div.tail')
    const onclick = () => this.showEarlier()
    this.earlier = h(
      'button.earlier',
      { testid: 'earlier', hidden: true, onclick },
      icon('down'),
      t('earlier'),
    )
    this.scroll = createScroll([this.earlier, this.list, this.tail])
    this.element = this.scroll.element
    this.settle = this.scroll.settle
    this.toBottom = this.scroll.toBottom
    this.destroy = this.scroll.destroy
  }

  all() {
    return [...this.messages.values()].sort((a, b) => a.message_id - b.message_id)
  }

  find(id) {
    return this.messages.get(id)
  }

  rowOf(id) {
    const message = this.find(id)
    return message && this.rows.get(keyOf(message))?.element
  }

  /** Shows what the chat says now, whatever was shown before. */
  show(all) {
    this.messages = new Map(all.map((message) => [message.message_id, message]))
    this.drawAll()
    this.scroll.settle()
  }

  upsert(message) {
    const known = this.find(message.message_id)
    // An edited message comes without the reactions to it.
    const { reactions } = known ?? {}
    this.messages.set(message.message_id, reactions ? { reactions, ...message } : message)
    if (!known) this.drawn += 1
    this.draw(keyOf(message))
    joinRows(this.list)
    if (known) this.scroll.settle()
    else this.scroll.arrived(this.context.isOwn(message))
  }

  react(id, reactions) {
    const message = this.find(id)
    if (!message) return
    this.messages.set(id, { ...message, reactions })
    this.draw(keyOf(message))
  }

  remove(ids) {
    const gone = ids.map((id) => this.find(id)).filter(Boolean)
    for (const { message_id } of gone) this.messages.delete(message_id)
    for (const message of gone) this.draw(keyOf(message))
    joinRows(this.list)
  }

  jumpTo(id) {
    if (!this.rowOf(id)) {
      this.drawn = this.messages.size
      this.drawAll()
    }
    highlight(this.rowOf(id))
  }

  showEarlier() {
    this.drawn += pageSize
    this.scroll.keepingPlace(() => this.drawAll())
  }

  /** Draws the newest messages, and takes away the rows of those that are gone. */
  drawAll() {
    const groups = Map.groupBy(this.all().slice(-this.drawn), keyOf)
    this.earlier.hidden = this.messages.size <= this.drawn
    for (const key of [...this.rows.keys()]) if (!groups.has(key)) this.erase(key)
    for (const [key, group] of groups) this.draw(key, group)
    joinRows(this.list)
  }

  draw(key, group = this.all().filter((one) => keyOf(one) === key)) {
    if (group.length === 0) return this.erase(key)
    const row = this.rows.get(key) ?? createRow(this.context)
    this.rows.set(key, row)
    row.update(group)
    if (!row.element.isConnected) placeRow(row.element, group[0], this.sectionOf(group[0]))
    return undefined
  }

  erase(key) {
    const row = this.rows.get(key)
    if (!row) return
    const section = row.element.parentElement
    row.element.remove()
    this.rows.delete(key)
    if (section.querySelector('.row')) return
    this.days.delete(Number(section.dataset.day))
    section.remove()
  }

  sectionOf({ date }) {
    const key = dayKey(date)
    const known = this.days.get(key)
    if (known) return known
    const label = h('div.day', {}, h('span', { testid: 'day' }, dayName(date)))
    const section = h('section.day-section', { 'data-day': String(key) }, label)
    const later = [...this.days.keys()].filter((one) => one > key)
    this.list.insertBefore(section, later.length > 0 ? this.days.get(Math.min(...later)) : null)
    this.days.set(key, section)
    return section
  }
}

function placeRow(element, message, section) {
  element.dataset.date = String(message.date)
  element.dataset.from = String(message.from?.id ?? '')
  const rows = [...section.querySelectorAll(':scope > .row')]
  const next = rows.find((one) => Number(one.dataset.messageId) > message.message_id)
  section.insertBefore(element, next ?? null)
}

/** Messages that one person sends soon after another stand close together, under one name. */
function joinRows(list) {
  let above
  for (const row of list.querySelectorAll('.row')) {
    const joins = above !== undefined && belongs(above, row)
    row.classList.toggle('joined', joins)
    above?.classList.toggle('goes-on', joins)
    above = row
  }
  above?.classList.remove('goes-on')
}

const belongs = (above, row) =>
  above.parentElement === row.parentElement &&
  above.dataset.from === row.dataset.from &&
  !above.classList.contains('service-row') &&
  Number(row.dataset.date) - Number(above.dataset.date) < joinSeconds

function highlight(row) {
  row.scrollIntoView({ block: 'center', behavior: 'smooth' })
  row.classList.remove('flash')
  // The animation starts anew only if the browser has seen the row without it.
  void row.offsetWidth
  row.classList.add('flash')
  row.addEventListener('animationend', () => row.classList.remove('flash'), { once: true })
}
