// The list of the bot's commands: opened by its button or by a slash, narrowed by what is typed.

import { fill, h } from './dom.ts'
import { t } from './i18n.ts'

export class CommandPopup {
  /**
   * @param {HTMLTextAreaElement} input
   * @param {{ load(): Promise<any[]>, send(text: string): void, insert(text: string): void }} actions
   */
  constructor(input, actions) {
    this.input = input
    this.actions = actions
    this.commands = []
    this.shown = []
    this.at = 0
    this.list = h('div.command-list', {
      role: 'listbox',
      id: 'commands',
      label: t('commands'),
      testid: 'commands',
    })
    this.element = h('div.command-popup', { hidden: true }, this.list, h('p.hint', {}, t('commandsHint')))
  }

  async refresh() {
    this.commands = await this.actions.load()
    if (!this.element.hidden) this.draw(this.prefix() ?? '')
    return this.commands
  }

  /** Follows what is typed. */
  follow() {
    const prefix = this.prefix()
    if (prefix === undefined) this.close()
    else this.draw(prefix)
  }

  toggle() {
    if (this.element.hidden) this.draw('')
    else this.close()
  }

  close() {
    this.element.hidden = true
    this.input.setAttribute('aria-expanded', 'false')
    this.input.removeAttribute('aria-activedescendant')
  }

  /** @returns {boolean} whether the key was for the list */
  onKey(event) {
    const act = keys[event.key]
    if (this.element.hidden || !act || event.shiftKey) return false
    event.preventDefault()
    act(this)
    return true
  }

  prefix() {
    return /^\/([a-z0-9_]*)$/i.exec(this.input.value)?.[1]
  }

  draw(prefix) {
    this.shown = this.commands.filter((one) => one.command.startsWith(prefix.toLowerCase()))
    if (this.shown.length === 0) return this.close()
    fill(
      this.list,
      this.shown.map((one, index) => commandRow(one, index, () => this.choose(index))),
    )
    this.element.hidden = false
    this.input.setAttribute('aria-expanded', 'true')
    return this.mark(0)
  }

  mark(index) {
    this.at = (index + this.shown.length) % this.shown.length
    for (const [place, row] of [...this.list.children].entries()) {
      row.setAttribute('aria-selected', String(place === this.at))
      if (place === this.at) row.scrollIntoView({ block: 'nearest' })
    }
    this.input.setAttribute('aria-activedescendant', `command-${this.at}`)
  }

  choose(index) {
    const { command } = this.shown[index]
    this.close()
    this.actions.send(`/${command}`)
  }

  insert() {
    this.actions.insert(`/${this.shown[this.at].command} `)
    this.close()
  }
}

/** @type {Record<string, (popup: CommandPopup) => void>} */
const keys = {
  ArrowDown: (popup) => popup.mark(popup.at + 1),
  ArrowUp: (popup) => popup.mark(popup.at - 1),
  Enter: (popup) => popup.choose(popup.at),
  Tab: (popup) => popup.insert(),
  Escape: (popup) => popup.close(),
}

function commandRow({ command, description }, index, choose) {
  const row = h(
    'div.command',
    { role: 'option', id: `command-${index}`, testid: `command-${command}`, onclick: choose },
    h('b', {}, `/${command}`),
    h('span', {}, description),
  )
  // The input keeps the focus, so the press must not move it.
  row.addEventListener('mousedown', (event) => event.preventDefault())
  return row
}
