// The payment page, which a link of the bot opens: one button to pay, one to decline. It has the look of the chat page.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { readBody } from '../http.ts'

/** A payment as the page shows it; the amount is in kopecks. */
interface ShownPayment {
  readonly id: string
  readonly status: 'pending' | 'succeeded' | 'canceled'
  readonly amount: number
  readonly description: string
  readonly returnUrl: string
}

/** What the payer does on the page, or the operator in the cabinet. */
export const testAction = z.strictObject({ action: z.enum(['pay', 'cancel', 'refund']) })
export type Action = z.output<typeof testAction>['action']

export interface Payments {
  list(): readonly ShownPayment[]
  find(id: string): ShownPayment
  /** Carries out an action of the payer on the page, or of the operator in the cabinet. */
  decide(id: string, action: Action): void
  save(): Promise<void>
}

/** The path of the page of a payment. */
export const pageOf = (name: string, id: string): string =>
  `/${name}/checkout?orderId=${encodeURIComponent(id)}`

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export async function showCheckout(
  { name, title }: { readonly name: string; readonly title: string },
  payments: Payments,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  const id = url.searchParams.get('orderId') ?? ''
  if (!payments.list().some((one) => one.id === id)) return sendPage(res, 404, '<h1>Такого платежа нет</h1>')
  const page = pageOf(name, id)
  if (req.method !== 'POST') return sendPage(res, 200, contentOf(payments.find(id), title, page))
  const action = new URLSearchParams(String(await readBody(req, 1024))).get('action')
  if (action === 'pay' || action === 'cancel') payments.decide(id, action)
  await payments.save()
  res.writeHead(303, { location: page }).end()
}

function sendPage(res: ServerResponse, status: number, content: string): void {
  const page = `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Оплата</title>
<link rel="stylesheet" href="/page/css/base.css">
</head>
<body><main class="column card">${content}</main></body>
</html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  // With `no-referrer` the form would be sent with the origin `null`, which is refused.
  res.writeHead(status, { ...headers, 'referrer-policy': 'same-origin' }).end(page)
}

function contentOf(payment: ShownPayment, title: string, page: string): string {
  const { status, amount: kopecks, description, returnUrl } = payment
  const amount = new Intl.NumberFormat('ru', { style: 'currency', currency: 'RUB' }).format(kopecks / 100)
  if (status === 'pending') {
    return `<p class="muted">Песочница · ${title} понарошку: ничего не списывается</p>
<h1 class="amount">${amount}</h1>
<p>${escapeHtml(description)}</p>
<form class="column" method="post" action="${page}">
<button class="button primary" name="action" value="pay">Оплатить ${amount}</button>
<button class="button" name="action" value="cancel">Отклонить</button>
</form>`
  }
  // In the sandbox the chat with the bot is the page at the root, which opens the chat that was open last.
  const back = new URL(returnUrl).hostname === 't.me' ? '/' : returnUrl
  const outcome = status === 'succeeded' ? `Оплачено ${amount}` : 'Платёж отменён, деньги не списаны'
  return `<h1>${outcome}</h1><p><a href="${escapeHtml(back)}">Вернуться в чат</a></p>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
