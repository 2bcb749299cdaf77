// Commands in any case: keyboards of phones begin a message with a capital, and grammY knows `/image` only.

import type { Update } from 'grammy/types'

const withCapitals = /^\/\w*[A-Z]\w*/

const lowered = (text: string): string => text.replace(withCapitals, (command) => command.toLowerCase())

/** @returns the update, with a command at the beginning of its message in lower case */
export function withLowerCommand(update: Update): Update {
  const { message } = update
  if (message?.text !== undefined && withCapitals.test(message.text))
    return { ...update, message: { ...message, text: lowered(message.text) } }
  if (message?.caption !== undefined && withCapitals.test(message.caption))
    return { ...update, message: { ...message, caption: lowered(message.caption) } }
  return update
}
