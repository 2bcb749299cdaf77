// The payment page, which a link of the bot opens: one button to pay, one to decline. It has the look of the chat page.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../../http.ts'
import { checkoutPath, type Payment, type Shop } from './shop.ts'

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export async function showCheckout(shop: Shop, req: IncomingMessage, res: ServerResponse, url: URL) {
  const id = url.searchParams.get('orderId') ?? ''
  if (!shop.list().some((one) => one.id === id)) return sendPage(res, 404, '<h1>Такого платежа нет</h1>')
  if (req.method !== 'POST') return sendPage(res, 200, contentOf(shop.find(id)))
  const action = new URLSearchParams(String(await readBody(req, 1024))).get('action')
  if (action === 'pay' || action === 'cancel') shop.decide(id, action)
  await shop.save()
  res.writeHead(303, { location: `${checkoutPath}?orderId=${encodeURIComponent(id)}` }).end()
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

function contentOf({ id, status, amount: kopecks, description, returnUrl }: Payment): string {
  const amount = new Intl.NumberFormat('ru', { style: 'currency', currency: 'RUB' }).format(kopecks / 100)
  if (status === 'pending') {
    return `<p class="muted">Песочница · ЮKassa понарошку: ничего не списывается</p>
<h1 class="amount">${amount}</h1>
<p>${escapeHtml(description)}</p>
<form class="column" method="post" action="${checkoutPath}?orderId=${encodeURIComponent(id)}">
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
