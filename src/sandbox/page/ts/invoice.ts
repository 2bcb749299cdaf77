// An invoice in a message, and the small window in which it is paid with test money.

import { ApiError } from './api.ts'
import { openDialog } from './dialog.ts'
import { fill, h, icon } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'

export function invoiceCard(message, invoice, context) {
  const amount = money(invoice.total_amount, invoice.currency)
  const hasPayButton = message.reply_markup?.inline_keyboard?.flat().some((button) => button.pay)
  return h(
    'section.invoice',
    { testid: 'invoice', label: t('invoice') },
    h('span.invoice-kind', {}, icon('wallet'), t('invoice')),
    h('h3', {}, invoice.title),
    h('p.pre-wrap', {}, invoice.description),
    h('p.invoice-amount', { testid: 'invoice-amount' }, amount),
    !hasPayButton &&
      h(
        'button.button.primary',
        { testid: 'pay', onclick: () => context.actions.openPayment(message) },
        t('pay', { amount }),
      ),
  )
}

/**
 * @param {object} message
 * @param {() => Promise<{ ok: boolean, error?: string }>} pay
 */
export function openPaymentDialog(message, pay) {
  const { title, description, total_amount, currency } = message.invoice
  // An invoice that is only a link does not say its price here.
  const amount = total_amount === undefined ? '' : money(total_amount, currency)
  const state = h('div.pay-state', { role: 'status', testid: 'pay-state' })
  const payButton = h('button.button.primary', { testid: 'pay-confirm' }, t('pay', { amount }))
  const cancel = h('button.button', { testid: 'pay-cancel', onclick: () => dialog.close() }, t('cancel'))

  payButton.addEventListener('click', async () => {
    payButton.disabled = true
    payButton.classList.add('busy')
    const result = await pay().catch((error) => ({ ok: false, error: refusalOf(error) }))
    showResult(result)
  })

  const showResult = (result) => {
    const close = h(
      'button.button.primary',
      { testid: 'pay-close', onclick: () => dialog.close() },
      t('close'),
    )
    const words = result.ok ? t('payDone', { amount }) : [h('b', {}, t('payFailed')), result.error]
    fill(state, icon(result.ok ? 'check' : 'close'), h('span', {}, words))
    state.className = `pay-state ${result.ok ? 'good' : 'bad'}`
    dialog.setActions(close)
    close.focus()
  }

  const dialog = openDialog({
    title: t('payQuestion'),
    testid: 'pay-dialog',
    body: [
      h('h3', {}, title),
      h('p.muted.pre-wrap', {}, description),
      amount && h('p.pay-total', { testid: 'pay-total' }, amount),
      h('p.test-money', {}, t('testMoney')),
      state,
    ],
    actions: [cancel, payButton],
  })
  payButton.focus()
}

function refusalOf(error) {
  if (error instanceof ApiError) return error.message
  throw error
}
