// Broadcasts in the chat: the card as operators use it, what people get and do, in both languages, and which message is broadcast.

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

const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
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

describe('a broadcast', () => {
  it('is sent again after a pause that Telegram asks for and when its answer was lost, and leaves out who blocked the bot', async () => {
    const [hugo, kurt] = [await desk.newUser('Hugo'), await desk.newUser('Kurt')]
    await kurt.blocks()
    await desk.asks('/broadcast', /Send the message to broadcast/)
    await desk.asks('We have cats now', /: draft[\s\S]*Recipients: \d+/)
    expect((await hugo.chat()).some(({ text }) => text === 'We have cats now')).toBe(false)
    await sandbox.breaks('telegram', 'copyMessage', { kind: 'error', status: 429, retryAfter: 1 })
    await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: true })
    await boss.taps('▶️ Send')
    await boss.tapsFor('✅ Yes', /: done[\s\S]*bot blocked: 1 ·/)
    await hugo.sees('We have cats now')
  })

  it('is of a message that was forwarded or looks like a command, which is neither done nor asked the text model', async () => {
    const author = await desk.newUser('Author')
    const before = await spent()
    for (const post of ['We are open on Sunday', `/ban ${author.id} is what I write`]) {
      await desk.asks('/broadcast', /message to broadcast/)
      const place = post.includes('Sunday') ? {} : { forwarded_from: author.id }
      const shown = await desk.asks(post, /: draft/, place)
      // The end of an earlier broadcast may be told between the two.
      const copied = (await boss.chat()).filter(({ from, text }) => from?.is_bot && text === post)
      expect(copied.map(({ message_id }) => message_id < shown.message_id)).toEqual([true])
    }
    await desk.hasBalance(author, '₽500')
    expect(await spent()).toBe(before)
  })

  it('may be of a long rich message, and its command a caption; a message that cannot be copied is refused', async () => {
    const { id } = await desk.newUser('Nora')
    const picture = await jpeg()
    await desk.seesBelow(await boss.sendsFile(picture, `/user ${id}`), new RegExp(`Telegram: ${id}`))
    await desk.seesBelow(await boss.sendsFile(picture, '/broadcast'), /✏️[\s\S]*\/broadcast/)
    const blocks = [{ type: 'paragraph', text: ['news '.repeat(1200)] }]
    await desk.seesBelow(await boss.sendsContent({ rich_message: { blocks } }), /Broadcast/)
    const news = await boss.sends('We have dogs now')
    await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: false })
    await desk.asks('/broadcast', /cannot be copied/, { reply_to: news.message_id })
    await desk.asks('/broadcast', /: draft/, { reply_to: news.message_id })
  })

  it('is not of a message that has two parts', async () => {
    const before = await spent()
    await desk.asks('/broadcast', /message to broadcast/)
    await boss.sends('x'.repeat(4096))
    await desk.asks('and this is the end', /up to 4,?096 characters[\s\S]*\/broadcast$/)
    await desk.asks('A short text', /: draft/)
    expect((await boss.chat()).filter(({ text = '' }) => text.startsWith('x'.repeat(99)))).toHaveLength(1)
    expect(await spent()).toBe(before)
  })
})
