// The project's account at the sandbox's gateway: its balance, and what the generations have cost.

import { api } from './api.ts'
import { fill, h, icon } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'

const everyMs = 10_000
const settleMs = 400

interface Account {
  readonly element: HTMLElement
  /** Reads the account again soon, after something has happened in the chat. */
  refresh(): void
  destroy(): void
}

export function createAccount(): Account {
  const element = h('p.account', { testid: 'account', hidden: true })
  let soon: number | undefined

  const read = async () => {
    if (document.hidden) return
    const account = await api.account().catch(() => undefined)
    element.hidden = account === undefined
    if (!account) return
    const balance = money(account.balance, 'RUB')
    fill(element, icon('wallet'), t('account', { balance, charged: money(account.charged, 'RUB') }))
  }
  const timer = setInterval(read, everyMs)
  void read()

  return {
    element,
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
