// The payment page, which a link of the bot opens: one button to pay, one to decline.

import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Handler, readBody } from '../../http.ts'
import { YookassaRefusal } from './requests.ts'
import type { Payment, Shop } from './shop.ts'

export const checkoutPath = '/yookassa/checkout'
const stylesPath = `${checkoutPath}.css`

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function createCheckout(shop: Shop): Handler {
  return async (req, res, url) => {
    if (url.pathname === stylesPath) {
      const css = await readFile(join(import.meta.dirname, 'checkout.css'))
      res.writeHead(200, { 'content-type': 'text/css; charset=utf-8' }).end(css)
      return true
    }
    if (url.pathname !== checkoutPath) return false
    const id = url.searchParams.get('orderId') ?? ''
    const payment = findPayment(shop, id)
    if (!payment) return sendPage(res, 404, 'Такого платежа нет', '<h1>Такого платежа нет</h1>')
    if (req.method !== 'POST') return sendPage(res, 200, 'Оплата', contentOf(payment))
    const action = new URLSearchParams(String(await readBody(req, 1024))).get('action')
    if (action === 'pay' || action === 'cancel') shop.decide(id, action)
    await shop.save()
    res.writeHead(303, { location: `${checkoutPath}?orderId=${encodeURIComponent(id)}` }).end()
    return true
  }
}

function findPayment(shop: Shop, id: string): Payment | undefined {
  try {
    return shop.find(id)
  } catch (error) {
    if (error instanceof YookassaRefusal) return undefined
    throw error
  }
}

function sendPage(res: ServerResponse, status: number, title: string, content: string): true {
  const page = `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${stylesPath}">
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  // With `no-referrer` the form would be sent with the origin `null`, which is refused.
  res.writeHead(status, { ...headers, 'referrer-policy': 'same-origin' }).end(page)
  return true
}

function contentOf(payment: Payment): string {
  switch (payment.status) {
    case 'pending':
      return form(payment)
    case 'succeeded':
      return `<p class="sign good">✓</p>
<h1>Оплачено ${amountOf(payment)}</h1>
<p>Деньги сейчас появятся на балансе. Эту страницу можно закрыть.</p>
${wayBack(payment)}`
    case 'canceled':
      return `<p class="sign bad">✕</p>
<h1>Платёж отменён</h1>
<p>Деньги не списаны.</p>
${wayBack(payment)}`
  }
}

const form = (payment: Payment): string => `<p class="shop">Песочница · ЮKassa понарошку</p>
<h1>${amountOf(payment)}</h1>
<p>${escapeHtml(payment.description)}</p>
<form method="post" action="${checkoutPath}?orderId=${encodeURIComponent(payment.id)}">
<fieldset>
<label><input type="radio" name="method" value="card" checked> Банковская карта <small>•••• 4477</small></label>
<label><input type="radio" name="method" value="sbp"> СБП</label>
</fieldset>
<button class="pay" name="action" value="pay">Оплатить ${amountOf(payment)}</button>
<button class="cancel" name="action" value="cancel">Отклонить</button>
</form>
<p class="note">Это тестовая оплата: ничего не списывается.</p>`

/**
 * The link back to the chat. In the sandbox the chat with the bot is the page at the root, which opens the chat that was open last, so a
 * link to t.me leads there.
 */
function wayBack({ returnUrl }: Payment): string {
  const href = new URL(returnUrl).hostname === 't.me' ? '/' : returnUrl
  return `<p><a class="back" href="${escapeHtml(href)}">Вернуться в чат</a></p>`
}

const amountOf = ({ amount }: Payment): string => {
  const [whole = '', part = ''] = (amount / 100).toFixed(2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')},${part}\u00a0₽`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
