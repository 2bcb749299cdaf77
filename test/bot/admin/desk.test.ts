// The desk of operators in the chat: figures, users, money with reasons, the log. Nothing moves money, bans or stops sales before a Yes.
// A question of the desk is a message noted in the database, is answered by its operator alone, and once. Nobody else can use the desk.

import { like, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageNotes } from '../../../src/db/schema.ts'
import { secrets } from '../../../src/sandbox/outside.ts'
import { failsToInsert } from '../../support/database/failing-inserts.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { groupOf } from '../../support/users/group.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { order } from '../../support/users/order.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk({ OPERATOR_TIME_ZONE: zoneOfNoon(new Date()) }))
})
afterAll(() => desk.close())

/** A time zone in which it is noon or a little later: “today” does not end while the tests run. */
function zoneOfNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours()
  // `Etc/GMT-5` is five hours ahead of UTC.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

const spentByBoss = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
const ofBot = async (user: SandboxUser) => (await user.chat()).filter(({ from }) => from?.is_bot)

describe('/admin', () => {
  it('shows figures with a chart, and its buttons change the period', async () => {
    const isCaption =
      (pattern: RegExp) =>
      ({ caption = '' }: SandboxMessage) =>
        pattern.test(caption)
    await order(sandbox, await desk.newUser('Anna'), '/image a fox, watercolour')
    const shown = await boss.asks('/admin', isCaption(/Revenue: ₽5.28/))
    expect(shown.caption).toMatch(/Gateway: ₽\d+\.\d\d[\s\S]*Margin: [\s\S]*Design: 1 done, 0 failed \(0 %\)/)
    expect(labelsOf(shown)).toEqual(expect.arrayContaining(['● Today', 'Week', 'Month', '◀ Earlier']))
    const changed = await boss.tapsFor('Month', isCaption(/01\.\d\d\.\d{4} – /))
    expect(changed.message_id).toBe(shown.message_id)
    const id = changed.photo?.at(-1)?.file_id
    const picture = await fetch(`${sandbox.url}/api/files/${id}`)
    expect(await sharp(await picture.bytes()).metadata()).toMatchObject({ format: 'png', width: 960 })
    expect(id).not.toBe(shown.photo?.at(-1)?.file_id)
  })

  it('is in the command menu of operators only', async () => {
    const menu = async (id: number) =>
      JSON.stringify(await sandbox.get(`/api/commands?chat_id=${id}&language_code=en`))
    const carl = await desk.newUser('Carl')
    expect(await menu(carl.id)).not.toContain('admin')
    expect(await menu(carl.id)).toContain('balance')
    expect(await menu(bossId)).toMatch(/admin.*broadcast.*balance/)
  })
})

describe('the balance of a user', () => {
  it('is credited by the button and a reply to its question, and the user gets the reason in their language', async () => {
    const boris = await desk.newUser('Борис', 'ru')
    const question = await desk.asksToGrant(boris)
    const place = { reply_to: question.message_id }
    await desk.asks('250 ₽ за терпение', /Add ₽250 to Борис.*reason: за терпение/, place)
    await boss.tapsFor('✅ Yes', /Борис: added ₽250\. Balance: ₽750/)
    await boris.sees(/начислено 250 ₽[\s\S]*Причина: за терпение[\s\S]*750 ₽/)
  })

  it('is debited by a command that names the user, up to the balance, after one more tap', async () => {
    const dora = await desk.newUser('Dora')
    const confirmation = /Take ₽100 from Dora · #\d+\?.*reason: granted by mistake/
    await desk.asks('/debit Dora 100 granted by mistake', confirmation)
    await desk.hasBalance(dora, '₽500')
    await boss.tapsFor('✅ Yes', /Dora: taken ₽100\. Balance: ₽400/)
    await dora.sees(/₽100 was taken off your balance[\s\S]*granted by mistake/)
    await desk.asks('/debit Dora 400.01 too much', /Dora has only ₽400/)
    await desk.asks('/grant Dora 100', /I need an amount in roubles and a reason/)
    await desk.hasBalance(dora, '₽400')
  })

  it('is not changed after No, or when the command matches no user or several users', async () => {
    const nora = await desk.newUser('Nora')
    await desk.asks('/grant Nora 100 a gift', /Add ₽100 to Nora/)
    await boss.tapsFor('✖ No', /Add ₽100 to Nora[\s\S]*✖ No$/)
    await desk.newUser('Noramun')
    const rows = [
      ['/grant 100 a gift', /Nobody found: 100/],
      ['/grant Norbert 100 a gift', /Nobody found: Norbert/],
      ['/ban', /Who is it about\?/],
      ['/ban Nora spam', /Several people match “Nora”/],
      ['/user nobody-like-this', /Nobody found: nobody-like-this/],
      ...['#999999', '#99999999999999999999', '#17x', '#0x11', '#'].map(
        (number) => [`/ban ${number} spam`, /Nobody found/] as const,
      ),
    ] as const
    for (const [command, answer] of rows) await desk.asks(command, answer)
    await desk.hasBalance(nora, '₽500')
  })

  it('is credited once when the tap on Yes comes twice', async () => {
    const eva = await desk.newUser('Eva')
    const number = await desk.opens(eva)
    await desk.asks(`/grant #${number} 1 once`, /Add ₽1 to Eva/)
    await sandbox.breaks('telegram', 'update', { kind: 'twice' })
    await boss.tapsFor('✅ Yes', /Eva: added ₽1/)
    const log = await desk.asks('/admin log', new RegExp(`granted · user:${number} ₽1 once`))
    expect(log.text?.match(/ ₽1 once/g)).toHaveLength(1)
    await desk.hasBalance(eva, '₽501')
  })
})

describe('for users who are not operators,', () => {
  const commands = `/admin
    /admin log
    /user Anna
    /grant #1 500 please
    /debit #1 1 x
    /ban #1 x
    /unban #1 x
    /refund 0123456789 x
    /refund_payment 0123456789 x
    /promo_add MINE 1000 1000
    /broadcast
    /broadcast_set 0123456789 time -`
  const data = `ad:f:7 ad:log ad:find ad:reports ad:switches ad:s:off:maintenance ad:u:1 ad:q:grant:1 ad:d:yes ad:o:1 ad:p:1
    ad:r:0123456789 ad:y:0123456789 ad:b:0123456789:start ad:bl:0123456789:ru ad:bq:0123456789:time pr:0123456789 pd:0123456789`

  it('every command is unknown, and a reply to a text that looks like a question credits nothing', async () => {
    const fred = await desk.newUser('Fred')
    for (const command of commands.split('\n')) {
      await fred.asks(command.trim(), /don’t know this command/)
    }
    expect(await ofBot(fred)).toHaveLength(13)
    const own = await fred.sends('✏️ How much?\n/grant #1')
    await fred.sends('500 please', { reply_to: own.message_id })
    await fred.asks('/settings', 'Язык / Language')
    // The second was a question to a text model, whose price may be held.
    expect(Number((await fred.balance()).slice(1))).toBeLessThanOrEqual(500)
  })

  it('every forged tap does nothing', async () => {
    const gina = await desk.newUser('Gina')
    const { message_id } = await gina.sees('₽500')
    const forged = data.split(/\s+/)
    for (const one of forged) await gina.tapsData(message_id, one)
    await expect.poll(async () => (await gina.answers()).length).toBe(forged.length)
    const answers = (await gina.answers()).map(({ text }) => text)
    expect(answers.filter((text) => !/no longer works/.test(text ?? ''))).toEqual([])
    expect(await ofBot(gina)).toHaveLength(1)
  })
})

it('in groups, the commands of operators are not answered', async () => {
  const id = await groupOf(sandbox, boss)
  const inGroup = boss.in(id)
  await inGroup.sends('/admin')
  // /balance is handled after /admin and is answered with a link to the private chat, so this is the first answer.
  const { message_id } = await inGroup.sends('/balance')
  const answer = await inGroup.sees((message) => message.from?.is_bot === true)
  expect(answer.message_id).toBeGreaterThan(message_id)
  expect(await ofBot(inGroup)).toHaveLength(1)
})

it('a command that was forwarded, or that an inline bot wrote, is answered as to everybody else', async () => {
  const hugo = await desk.newUser('Hugo')
  const number = await desk.opens(hugo)
  for (const command of ['/admin', '/grant', '/ban', '/broadcast']) {
    const text = `${command} #${number} 700 please`
    const said = async (person: SandboxUser, place: object) => (await person.asks(text, /./, place)).text
    const toEverybody = await said(hugo, {})
    for (const place of [{ via_bot: 'some_inline_bot' }, { forwarded_from: hugo.id }])
      expect(await said(boss, place)).toBe(toEverybody)
  }
  await desk.hasBalance(hugo, '₽500')
  const log = await desk.asks('/admin log', /granted|Nothing has been done/)
  expect(log.text).not.toContain('please')
})

describe('a Yes', () => {
  const hint = /Tap “Yes” or “No”/

  it('is no text: each is answered with a hint, costs nothing, and answers no earlier question', async () => {
    const [anna, bert] = [await desk.newUser('Anna'), await desk.newUser('Bert')]
    const before = await spentByBoss()
    await desk.asks(`/grant ${bert.id}`, /How many roubles should Bert get/)
    const question = await desk.asks(`/grant ${anna.id} 5 for patience`, /Add ₽5 to Anna/)
    await desk.asks('yes', hint)
    await desk.asks('7 for Bert', hint)
    await desk.asks('sure', hint, { reply_to: question.message_id })
    await desk.hasBalance(anna, '₽500')
    await boss.tapsFor('✅ Yes', /Anna: added ₽5/)
    await desk.hasBalance(bert, '₽500')
    expect(await spentByBoss()).toBe(before)
  })

  it('is not possible after /cancel, which drops the question with its buttons', async () => {
    const dave = await desk.newUser('Dave')
    const question = await desk.asks(`/debit ${dave.id} 5 by mistake`, /Take ₽5 from Dave/)
    await desk.asks('/cancel', /^The question is closed\./)
    const shown = (await boss.chat()).find(({ message_id }) => message_id === question.message_id)
    expect(shown && labelsOf(shown)).toEqual([])
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await desk.hasBalance(dave, '₽500')
  })

  it('is not asked for what cannot be done, nor another question when no other reason would help', async () => {
    const emma = await desk.newUser('Emma')
    await desk.asks(`/debit ${emma.id} 500.01 too much`, /^⚠️ Emma has only ₽500/)
    await desk.asks(`/ban ${bossId} treason`, /^Operators cannot be banned/)
    await desk.hasBalance(emma, '₽500')
    await desk.asks(`/ban ${bossId}`, /Why is Boss banned\?/)
    await desk.asks('treason', /^Operators cannot be banned/)
    await desk.asks('what is treason?', /what is treason/)
  })

  it('does nothing when the balance was spent in between', async () => {
    const fay = await desk.newUser('Fay')
    await desk.asks(`/debit ${fay.id} 500 by mistake`, /Take ₽500 from Fay/)
    await order(sandbox, fay, '/image a fox')
    await boss.tapsFor('✅ Yes', /Fay has only ₽494\.72/)
    await desk.hasBalance(fay, '₽494.72')
  })

  it('whose action fails keeps its question open: a second Yes does it, once', async () => {
    const hugo = await desk.newUser('Hugo')
    const { message_id } = await desk.asks(`/grant ${hugo.id} 5 for patience`, /Add ₽5 to Hugo/)
    await failsToInsert(sandbox.app.db, 'transfers')
    await boss.tapsData(message_id, 'ad:d:yes')
    await boss.sees(/Something went wrong on our side/)
    await desk.hasBalance(hugo, '₽500')
    await boss.tapsData(message_id, 'ad:d:yes')
    await boss.sees(/Hugo: added ₽5/)
    await boss.tapsData(message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await desk.hasBalance(hugo, '₽505')
  })

  it('does nothing about a user whose data is deleted before it; the question is deleted with the name in it', async () => {
    const asked = () => sandbox.app.db.$count(messageNotes, like(sql`${messageNotes.about}::text`, '%Jana%'))
    const jana = await desk.newUser('Jana')
    const ordered = await order(sandbox, jana, '/image a fox')
    const questions: SandboxMessage[] = []
    for (const command of [`/ban ${jana.id} spam`, `/refund ${ordered} blank`])
      questions.push(await desk.asks(command, /Jana/))
    // A question is shown before its note is written.
    await expect.poll(asked).toBe(2)
    await jana.opens('/delete_me', /Continue/, /Yes, delete for good/)
    await jana.sees(/Your data is deleted/)
    expect(await asked()).toBe(0)
    for (const { message_id } of questions) {
      await boss.tapsData(message_id, 'ad:d:yes')
      await boss.isTold(/not yours or no longer works/)
    }
  })
})

it('a command without parameters is answered with one example', async () => {
  const examples = [
    '/grant #17 500₽ for the failed video',
    '/debit #17 500₽ granted by mistake',
    '/ban #17 spam',
    '/unban #17 banned by mistake',
    '/refund 0123456789 the picture is blank',
    '/refund_payment 0123456789 paid by mistake',
    '/promo_add SPRING 100₽ 50 2030-12-31',
  ]
  for (const example of examples) {
    const { text } = await desk.asks(example.replace(/ .*/, ''), /For example:/)
    expect(text).toContain(example)
  }
})

describe('a question', () => {
  /** Taps Yes on the confirmation that the desk sends after this message. */
  async function confirms(answer: SandboxMessage, wanted: RegExp): Promise<void> {
    await desk.seesBelow(answer, wanted)
    await boss.taps('✅ Yes')
  }
  const unread = /I need an amount in roubles and a reason/

  it('is not answered through an inline bot, from another chat, nor by a reply to a text that looks like it', async () => {
    const ivan = await desk.newUser('Ivan')
    const { message_id: asked } = await desk.asksToGrant(ivan)
    await boss.sends('700 please', { reply_to: asked, via_bot: 'some_inline_bot' })
    const id = await groupOf(sandbox, boss)
    let last = 0
    while (last < asked) last = (await boss.in(id).sends('blah')).message_id
    await boss.sends('700 please', { reply_to: asked, reply_chat: id, quote: 'blah' })
    const code = `/grant #${await desk.opens(ivan)} 77`
    const text = `✏️ Shall I do it?\n${code}`
    const entities = [{ type: 'code', offset: text.indexOf(code), length: code.length }]
    const { result } = await sandbox.post<{ result: SandboxMessage }>(`/bot${secrets.botToken}/sendMessage`, {
      chat_id: bossId,
      text,
      entities,
    })
    await desk.asks('thanks for that', /thanks for that/, { reply_to: result.message_id })
    await desk.hasBalance(ivan, '₽500')
    const log = await desk.asks('/admin log', /granted|Nothing has been done/)
    expect(log.text).not.toMatch(/thanks|please/)
  })

  it('stays open until an answer can be read, is repeated in each refusal, and is answered once by a reply to any of them', async () => {
    const clara = await desk.newUser('Clara')
    const first = await desk.asksToGrant(clara)
    const before = await spentByBoss()
    const second = await desk.asks('a lot', unread, { reply_to: first.message_id })
    const third = await desk.asks('100', unread, { reply_to: second.message_id })
    const file = { kind: 'document', name: 'a.bin', bytes: Buffer.from([0, 1, 2, 255]) }
    await desk.seesBelow(await boss.sendsFile(file, '', { reply_to: third.message_id }), unread)
    const answer = await boss.sendsFile(file, '100 for patience', { reply_to: third.message_id })
    await confirms(answer, /Add ₽100 to Clara/)
    await boss.sees(/Clara: added ₽100/)
    for (const { message_id } of [first, second])
      await desk.asks('100 once more', /is answered, closed/, { reply_to: message_id })
    await desk.hasBalance(clara, '₽600')
    expect(await spentByBoss()).toBe(before)
  })

  it('is answered once when its update comes twice, and when it is handled again after the process died', async () => {
    const ella = await desk.newUser('Ella')
    const question = await desk.asksToGrant(ella)
    const before = await spentByBoss()
    await sandbox.breaks('telegram', 'update', { kind: 'twice' })
    const answer = await boss.sends('2 once', { reply_to: question.message_id })
    await confirms(answer, /Add ₽2 to Ella/)
    const done = await boss.sees(/Ella: added ₽2/)
    await handleLastAgain(sandbox, bossId)
    await confirms(done, /Add ₽2 to Ella/)
    await boss.sees(/Ella: added ₽2 once.* Balance now: ₽502/)
    await desk.hasBalance(ella, '₽502')
    expect(await spentByBoss()).toBe(before)
  })
})
