// The list of the bot's commands. Its button opens it for sending a command at once. A typed slash opens it for completing what is
// typed, by Tab or a tap: Enter always sends what is typed.

import type { BotCommand } from './api.ts'
import { fill, h } from './dom.ts'
import { t } from './i18n.ts'

interface PopupActions {
  load(): Promise<readonly BotCommand[]>
  send(text: string): void
  insert(text: string): void
}

export class CommandPopup {
  readonly element: HTMLElement
  private readonly input: HTMLTextAreaElement
  private readonly actions: PopupActions
  private readonly list: HTMLElement
  private commands: readonly BotCommand[] = []
  private shown: readonly BotCommand[] = []
  private at = 0

  constructor(input: HTMLTextAreaElement, actions: PopupActions) {
    this.input = input
    this.actions = actions
    this.list = h('div.command-list', {
      role: 'listbox',
      id: 'commands',
      label: t('commands'),
      testid: 'commands',
    })
    this.element = h('div.command-popup', { hidden: true }, this.list, h('p.hint', {}, t('commandsHint')))
  }

  /** Loads the commands anew. An open list keeps its marked command. */
  async refresh(): Promise<readonly BotCommand[]> {
    this.commands = await this.actions.load()
    if (!this.element.hidden) this.redraw()
    return this.commands
  }

  /** Updates the list for the typed text. */
  follow(): void {
    const prefix = this.prefix()
    if (prefix === undefined) this.close()
    else this.draw(prefix)
  }

  toggle(): void {
    if (this.element.hidden) this.draw('')
    else this.close()
  }

  close(): void {
    this.element.hidden = true
    this.input.removeAttribute('aria-activedescendant')
  }

  /** @returns whether the list handled the key */
  onKey(event: KeyboardEvent): boolean {
    if (this.element.hidden || event.shiftKey || !this.act(event.key)) return false
    event.preventDefault()
    return true
  }

  private act(key: string): boolean {
    if (key === 'ArrowDown') this.mark(this.at + 1)
    else if (key === 'ArrowUp') this.mark(this.at - 1)
    else if (key === 'Tab') this.choose(this.at)
    else if (key === 'Escape') this.close()
    else return false
    return true
  }

  private prefix(): string | undefined {
    return /^\/([a-z0-9_]*)$/i.exec(this.input.value)?.[1]
  }

  private redraw(): void {
    const marked = this.shown[this.at]?.command
    this.draw(this.prefix() ?? '')
    const place = this.shown.findIndex((one) => one.command === marked)
    if (!this.element.hidden && place > 0) this.mark(place)
  }

  private draw(prefix: string): void {
    this.shown = this.commands.filter((one) => one.command.startsWith(prefix.toLowerCase()))
    if (this.shown.length > 0) this.show()
    else this.close()
  }

  private show(): void {
    fill(
      this.list,
      this.shown.map((one, index) => commandRow(one, index, () => this.choose(index))),
    )
    this.element.hidden = false
    this.mark(0)
  }

  private mark(index: number): void {
    this.at = (index + this.shown.length) % this.shown.length
    for (const [place, row] of [...this.list.children].entries()) {
      row.setAttribute('aria-selected', String(place === this.at))
      if (place === this.at) row.scrollIntoView({ block: 'nearest' })
    }
    this.input.setAttribute('aria-activedescendant', `command-${this.at}`)
  }

  private choose(index: number): void {
    const chosen = this.shown[index]
    const isTyped = this.prefix() !== undefined
    this.close()
    if (!chosen) return
    if (isTyped) this.actions.insert(`/${chosen.command} `)
    else this.actions.send(`/${chosen.command}`)
  }
}

function commandRow({ command, description }: BotCommand, index: number, choose: () => void): HTMLElement {
  const row = h(
    'div.command',
    { role: 'option', id: `command-${index}`, testid: `command-${command}`, onclick: choose },
    h('b', {}, `/${command}`),
    h('span', {}, description),
  )
  // Keeps the focus in the input.
  row.addEventListener('mousedown', (event) => event.preventDefault())
  return row
}
