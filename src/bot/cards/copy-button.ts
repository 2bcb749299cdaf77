// The button that puts a text into the clipboard, above the other buttons.

import type { InlineKeyboard } from 'grammy'
import { codePoints } from '../../catalog/fields.ts'
import type { Say } from '../../texts.ts'

/** Telegram's limit for such a text. */
const longest = 256

export function addCopy(keyboard: InlineKeyboard, say: Say, text = ''): void {
  const length = codePoints(text)
  if (length > 0 && length <= longest) keyboard.copyText(say.plain('button-copy-text'), text).row()
}
