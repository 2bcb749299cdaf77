// The card of a broadcast as operators use it, and what people get and do: its audience, button, time and result, in both languages.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcasts } from '../../../src/db/schema.ts'
import { dayMs, localTime } from '../../../src/runtime/clock.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { jpeg } from '../../support/users/pictures.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser } from '../../support/users/user.ts'

const aideId = 900_002
let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
let olga: SandboxUser
beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk({ ADMIN_IDS: `${bossId},${aideId}` }))
  await boss.asks('/balance', /500/)
  olga = await sandbox.user('Olga')
  await olga.asks('/start src_blog', /Olga/)
  await desk.newUser('Tom')
})
afterAll(() => desk.close())

const day = (later: number) => localTime(new Date(Date.now() + later * dayMs), 'Europe/Moscow').slice(0, 10)

describe('the card of a broadcast', () => {
  it('shows the message, and takes an audience, a button and a time; wrong ones are explained', async () => {
    const news = await boss.sendsFile(await jpeg(), 'Owls are here')
    const copies = async () =>
      (await boss.chat()).filter(({ caption, from }) => from?.is_bot && caption === 'Owls are here')
    const whole = /: draft\nTo: Everybody\nRecipients: 3\nStart: at once$/
    await desk.asks('/broadcast', whole, { reply_to: news.message_id })
    expect((await copies()).map(labelsOf)).toEqual([['🔕 No more news']])
    await boss.tapsFor('Have paid', /To: Have paid\nRecipients: 0/)
    await boss.taps('▶️ Send')
    await boss.isTold('Nobody fits right now.')
    await boss.tapsFor('Русский', /To: Have paid · Русский/)
    await boss.tapsFor('🌐 All', /To: Have paid\n/)
    await boss.tapsFor('💤 Days: 14', /nothing\?[\s\S]*_set \w{10} days$/)
    await desk.asks('0', /number of days from 1 to 999/)
    await desk.asks('30', /To: Quiet for 30 days\nRecipients: 0/)
    await boss.tapsFor('Everybody', /To: Everybody\n/)
    await boss.tapsFor('📍 Source', /Write a source: direct, blog\. If/)
    await desk.asks('nowhere', /There is no source “nowhere”\. There are: direct, blog\./)
    await desk.asks('blog', /To: Everybody · source blog\nRecipients: 1/)
    await boss.tapsFor('🔘 Button', /text of the button/)
    const wrong = ['Draw', 'Draw /admin', 'Ask /chat hello', 'Go https://nowhere', `${'x'.repeat(41)} /image`]
    for (const button of wrong) await desk.asks(button, /This can’t be a button/)
    await desk.asks('Draw an owl /Image an owl', /Button: Draw an owl → \/image an owl\nRecipients: 1/)
    expect((await copies()).map(labelsOf).at(-1)).toEqual(['Draw an owl', '🔕 No more news'])
    await boss.tapsFor('🕒 Time', /time of Europe\/Moscow/)
    await desk.asks(`${day(-1)} 10:00`, /That time has passed/)
    await desk.asks('soon', /I don’t understand this time/)
    await desk.asks(`${day(2)} 10:00`, new RegExp(`Start: ${day(2)} 10:00 \\(Europe/Moscow\\)`))
  })

  it('starts after one question, at its time; until then it can be changed', async () => {
    await boss.tapsFor('▶️ Send', new RegExp(`Start it at ${day(2)} 10:00`))
    await boss.tapsFor('✅ Yes', /: scheduled\n/)
    const list = await desk.asks('/broadcast', /Broadcasts that are waiting/)
    await boss.tapsFor(
      `${day(2)} 10:00 · scheduled`,
      ({ message_id, text = '' }) => message_id === list.message_id && /: scheduled\n/.test(text),
    )
    await boss.asks('/cancel', /\/broadcast/)
    await boss.tapsFor('✏️ Change', /: draft\n/)
    await boss.tapsFor('🕒 Time', /time of Europe\/Moscow/)
    await desk.asks('-', /Start: at once/)
    await boss.tapsFor('▶️ Send', /Start: at once\n\nSend it now\?/)
    expect((await olga.chat()).filter(({ caption }) => caption === 'Owls are here')).toEqual([])
    await boss.tapsFor(
      '✅ Yes',
      /: done\n[\s\S]*Delivered: 1 · bot blocked: 0 · left: 0\n[\s\S]*off: 0, orders and answers: 0/,
    )
  })

  it('has a result: its button runs the command, and who switches news off keeps that button', async () => {
    await olga.sees(({ caption, photo }) => caption === 'Owls are here' && photo !== undefined)
    await olga.hears('🔕 No more news', /No more news/)
    const kept = await olga.sees((message) => labelsOf(message).join() === 'Draw an owl,🔔 Get news again')
    const card = await olga.tapsFor('Draw an owl', /Prompt: an owl/)
    expect(card.message_id).toBeGreaterThan(kept.message_id)
    await olga.tapsFor(
      /^Generate/,
      ({ photo, caption }) => photo !== undefined && /an owl/.test(caption ?? ''),
    )
    await desk.asks('/broadcast', /just done/)
    await boss.tapsFor(/· done$/, /off: 1, orders and answers: 1 \(people: 1\)/)
  })
})

it('a broadcast is made in Russian, too', async () => {
  const aide = await createUser(sandbox.url, { first_name: 'Aide', language_code: 'ru', id: aideId })
  const news = await aide.sends('Совы прилетели')
  await aide.asks('/broadcast', /: черновик\nКому: Все\nПолучат: 3\nНачало: сразу$/, {
    reply_to: news.message_id,
  })
  await aide.tapsFor('English', /Кому: Все · English\nПолучат: 2/)
  await aide.tapsFor('🔘 Кнопка', /текст кнопки/)
  await aide.asks('Наш канал t.me/owls', /Кнопка: Наш канал → https:\/\/t\.me\/owls/)
  await aide.tapsFor('▶️ Отправить', /Отправить сейчас\?$/)
  await aide.tapsFor('✅ Да', /: закончена\n[\s\S]*Доставлено: 2 · бот заблокирован: 0/)
  await boss.sees('Совы прилетели')
  expect((await olga.chat()).some(({ text }) => text === 'Совы прилетели')).toBe(false)
  expect(await sandbox.app.db.$count(broadcasts)).toBe(2)
})
