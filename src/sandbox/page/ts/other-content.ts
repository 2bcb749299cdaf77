// The rarer things a message can carry. What the page cannot show it says, rather than showing nothing.

import { fileUrl } from './api.ts'
import { h } from './dom.ts'
import { t } from './i18n.ts'
import { fullName } from './quote.ts'

const builders = {
  dice: (dice) => h('div.big-emoji', {}, `${dice.emoji} ${dice.value}`),
  contact: (contact) =>
    h('div.card', {}, h('b', {}, fullName(contact)), h('span', { dir: 'ltr' }, contact.phone_number)),
  location: (place) => h('div.card', {}, h('b', {}, t('location')), `${place.latitude}, ${place.longitude}`),
  sticker: (sticker) => h('img.sticker', { src: fileUrl(sticker.file_id), alt: sticker.emoji ?? '' }),
  poll: (poll) =>
    h(
      'div.card',
      {},
      h('b', {}, poll.question),
      h(
        'ul',
        {},
        poll.options.map((one) => h('li', {}, one.text)),
      ),
    ),
}

const known = [
  'text',
  'caption',
  'invoice',
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'video_note',
]

/** @returns {{ key: unknown, build(): Node } | undefined} */
export function otherContent(message) {
  if (known.some((name) => message[name] !== undefined)) return undefined
  const kind = Object.keys(builders).find((name) => message[name])
  if (kind) return { key: [kind, message[kind]], build: () => builders[kind](message[kind]) }
  return { key: 'unsupported', build: () => h('em.unsupported', { testid: 'unsupported' }, t('unsupported')) }
}
