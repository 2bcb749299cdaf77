// An invoice in a message, and the dialog in which it is paid with test money.

import { ApiError, type Message, type PaymentResult } from './api.ts'
import type { MessageContext } from './context.ts'
import { openDialog } from './dialog.ts'
import { fill, h, icon } from './dom.ts'
import { money } from './format.ts'
import { t } from './i18n.ts'
import { inlineRows, payOrShow } from './inline-keyboard.ts'

export function invoiceCard(
  message: Message,
  invoice: NonNullable<Message['invoice']>,
  context: MessageContext,
): HTMLElement {
  const amount = money(invoice.total_amount, invoice.currency)
  const isPaid = message.receipt_message_id !== undefined
  const hasPayButton = inlineRows(message)
    .flat()
    .some((button) => 'pay' in button && button.pay)
  return h(
    isPaid ? 'section.invoice.paid' : 'section.invoice',
    { testid: 'invoice', label: t('invoice') },
    h('span.invoice-kind', {}, icon(isPaid ? 'check' : 'wallet'), isPaid ? t('paid') : t('invoice')),
    h('h2', {}, invoice.title),
    h('p.pre-wrap', {}, invoice.description),
    h('p.invoice-amount', { testid: 'invoice-amount' }, amount),
    !hasPayButton &&
      h(
        'button.button.primary',
        { testid: 'pay', onclick: () => payOrShow(message, context.actions) },
        isPaid ? t('receipt') : t('pay', { amount }),
      ),
  )
}

interface Payable {
  readonly title: string
  readonly description: string
  readonly price: { readonly total_amount: number; readonly currency: string }
}

export function openPaymentDialog(
  { title, description, price }: Payable,
  pay: () => Promise<PaymentResult>,
): void {
  const amount = money(price.total_amount, price.currency)
  const state = h('div.pay-state', { role: 'status', testid: 'pay-state' })
  const payButton = h('button.button.primary', { testid: 'pay-confirm' }, t('pay', { amount }))
  const close = () => dialog.close()

  payButton.addEventListener('click', async () => {
    payButton.disabled = true
    payButton.classList.add('busy')
    showResult(await pay().catch(failed))
  })

  const showResult = (result: PaymentResult) => {
    const closeButton = h('button.button.primary', { testid: 'pay-close', onclick: close }, t('close'))
    const words = result.ok ? t('payDone', { amount }) : [h('b', {}, t('payFailed')), result.error]
    fill(state, icon(result.ok ? 'check' : 'close'), h('span', {}, words))
    state.className = `pay-state ${result.ok ? 'good' : 'bad'}`
    dialog.setActions(closeButton)
    closeButton.focus()
  }

  const dialog = openDialog({
    title: t('payQuestion'),
    testid: 'pay-dialog',
    body: [
      h('h3', {}, title),
      h('p.muted.pre-wrap', {}, description),
      h('p.pay-total', { testid: 'pay-total' }, amount),
      h('p.test-money', {}, t('testMoney')),
      state,
    ],
    actions: [h('button.button', { testid: 'pay-cancel', onclick: close }, t('cancel')), payButton],
  })
  payButton.focus()
}

function failed(error: unknown): PaymentResult {
  if (error instanceof ApiError) return { ok: false, error: error.message }
  throw error
}
