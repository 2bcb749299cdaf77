// What a new chat shows before the first message: the bot's own description, and the button that begins.

import { avatar, h } from './dom.ts'
import { language, t } from './i18n.ts'
import { fullName } from './quote.ts'

/** Telegram shows a bot's description in the language of the user, or the one for all. */
const inLanguage = (texts) => texts?.[language()] || texts?.[''] || ''

export function emptyState(bot, chat, start) {
  const isPrivate = chat.type === 'private'
  const description = inLanguage(bot.profile?.description)
  return h(
    'section.empty',
    { testid: 'empty' },
    avatar(isPrivate ? fullName(bot) : chat.title, isPrivate ? bot.id : chat.id),
    h('h2', {}, isPrivate ? t('welcome') : chat.title),
    description && isPrivate && h('p.pre-wrap', {}, description),
    h('p.muted', {}, isPrivate ? t('emptyText') : t('emptyGroup')),
    h('button.button.primary.big', { testid: 'start', onclick: start }, t('start')),
  )
}
