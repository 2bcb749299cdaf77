// The project's account at the gateway, as the sandbox's gateway keeps it: what generations have really cost.

import { api } from './api.ts'
import { fill, h, icon } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'

const everyMs = 10_000
const settleMs = 400

export function createAccount() {
  const element = h('p.account', { testid: 'account', hidden: true })
  let soon

  const read = async () => {
    if (document.hidden) return
    const account = await api.account().catch(() => undefined)
    element.hidden = account === undefined
    if (!account) return
    const amount = (kopecks) => money(Number(kopecks), 'RUB')
    const words = t('account', { balance: amount(account.balance), charged: amount(account.charged ?? 0) })
    fill(element, icon('wallet'), words)
  }
  const timer = setInterval(read, everyMs)
  void read()

  return {
    element,
    /** After something has happened in the chat, the account may have moved. */
    refresh() {
      clearTimeout(soon)
      soon = setTimeout(read, settleMs)
    },
    destroy() {
      clearInterval(timer)
      clearTimeout(soon)
    },
  }
}
