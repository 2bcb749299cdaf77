// Service messages: what happened in the chat, as a line in its middle.

import { money } from './format.ts'
import { t } from './i18n.ts'
import { fullName } from './quote.ts'

const lines = {
  successful_payment: (payment) =>
    `✅ ${t('paidService', { amount: money(payment.total_amount, payment.currency) })}`,
  refunded_payment: (payment) =>
    `↩️ ${t('refundedService', { amount: money(payment.total_amount, payment.currency) })}`,
  new_chat_members: (people) => people.map((one) => t('joined', { name: fullName(one) })).join(', '),
  left_chat_member: (person) => t('left', { name: fullName(person) }),
  pinned_message: () => `📌 ${t('pinned')}`,
  forum_topic_created: (topic) => t('topicCreated', { name: topic.name }),
}

/** @returns {string | undefined} undefined for a message that people write */
export function serviceText(message) {
  const kind = Object.keys(lines).find((name) => message[name])
  return kind && lines[kind](message[kind])
}
