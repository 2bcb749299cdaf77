// What a drawn message may ask of its session.

import type { Message } from './api.ts'
import type { MenuPlace } from './menu.ts'

export interface TextActions {
  command(text: string): void
  /**
   * @param disguised the text differs from the address, so the address is shown before it is opened
   * @returns false when the browser itself should follow the link
   */
  link(url: string, disguised: boolean): boolean
}

export interface MessageActions extends TextActions {
  copy(text: string): void
  jumpTo(messageId: number): void
  /** @param selected the part of the text that the user has selected, or '' */
  messageMenu(message: Message, at: MenuPlace, selected: string): void
  openPayment(message: Message): void
  /** @param element the button, which is shown as busy until the bot answers */
  tap(message: Message, data: string, element: HTMLElement): void
  /** Types a query to the bot's inline mode: in this chat, or in another one that the user chooses. */
  typeQuery(query: string, isHere: boolean, element: HTMLElement): void
  unsupportedButton(): void
}

export interface MessageContext {
  readonly actions: MessageActions
  readonly showsSenders: boolean
  isOwn(message: Message): boolean
  find(messageId: number): Message | undefined
}
