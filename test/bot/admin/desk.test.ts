// The operators' desk in the chat: figures, users, money with reasons, the log. No other user can use any of it, and no message by
// another author is a command.

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
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

const ofBot = async (user: SandboxUser) => (await user.chat()).filter(({ from }) => from?.is_bot)

describe('/admin', () => {
  it('shows figures with a chart, and its buttons change the period', async () => {
    const isCaption =
      (pattern: RegExp) =>
      ({ caption = '' }: SandboxMessage) =>
        pattern.test(caption)
    await order(sandbox, await desk.newUser('Anna'), '/image a fox, watercolour')
    await boss.sends('/admin')
    const shown = await boss.sees(isCaption(/Today[\s\S]*Revenue: ₽5.28/))
    expect(shown.caption).toMatch(/Gateway: ₽\d+\.\d\d[\s\S]*Margin: [\s\S]*Design: 1 done, 0 failed \(0 %\)/)
    expect(labelsOf(shown)).toEqual(expect.arrayContaining(['● Today', '7 days', '30 days']))
    await boss.taps('30 days')
    const changed = await boss.sees(isCaption(/30 days/))
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
    await boss.taps('✅ Yes')
    await boss.sees(/Борис: added ₽250\. Balance: ₽750/)
    await boris.sees(/начислено 250 ₽[\s\S]*Причина: за терпение[\s\S]*750 ₽/)
  })

  it('is debited by a command that names the user, up to the balance, after one more tap', async () => {
    const dora = await desk.newUser('Dora')
    const confirmation = /Take ₽100 from Dora · #\d+\?.*reason: granted by mistake/
    await desk.asks('/debit Dora 100 granted by mistake', confirmation)
    await desk.hasBalance(dora, '₽500')
    await boss.taps('✅ Yes')
    await boss.sees(/Dora: taken ₽100\. Balance: ₽400/)
    await dora.sees(/₽100 was taken off your balance[\s\S]*granted by mistake/)
    await desk.asks('/debit Dora 400.01 too much', /Dora has only ₽400/)
    await desk.asks('/grant Dora 100', /I need an amount in roubles and a reason/)
    await desk.hasBalance(dora, '₽400')
  })

  it('is not changed after No, or when the command matches no user or several users', async () => {
    const nora = await desk.newUser('Nora')
    await desk.asks('/grant Nora 100 a gift', /Add ₽100 to Nora/)
    await boss.taps('✖ No')
    await boss.sees(/Add ₽100 to Nora[\s\S]*✖ No$/)
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
    await boss.taps('✅ Yes')
    await boss.sees(/Eva: added ₽1/)
    const log = await desk.asks('/admin log', new RegExp(`granted · user:${number} ₽1 once`))
    expect(log.text?.match(/ ₽1 once/g)).toHaveLength(1)
    await desk.hasBalance(eva, '₽501')
  })

  it('is not changed by a reply to the card of a user whose name looks like a command', async () => {
    const mallory = await desk.newUser('/grant #1')
    const card = await desk.asks(`/user ${mallory.id}`, /\/grant #1 · —/)
    await boss.sends('900 for nothing', { reply_to: card.message_id })
    expect((await desk.asks('/admin log', /granted|Nothing has been done/)).text).not.toContain('₽900')
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
    /broadcast`
  const data = `ad:f:7 ad:log ad:find ad:reports ad:switches ad:s:off:maintenance ad:u:1 ad:q:grant:1 ad:d:yes ad:o:1 ad:p:1
    ad:r:0123456789 ad:y:0123456789 ad:b:0123456789:start pr:0123456789 pd:0123456789`

  it('every command is unknown, and a reply to a text that looks like a question credits nothing', async () => {
    const fred = await desk.newUser('Fred')
    for (const command of commands.split('\n')) {
      const { message_id } = await fred.sends(command.trim())
      await fred.sees((one) => one.message_id > message_id && /don’t know this command/.test(one.text ?? ''))
    }
    expect(await ofBot(fred)).toHaveLength(12)
    const own = await fred.sends('✏️ How much?\n/grant #1')
    await fred.sends('500 please', { reply_to: own.message_id })
    await fred.sends('/settings')
    await fred.sees('Язык / Language')
    await desk.hasBalance(fred, /₽49\d|₽500/)
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
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Team', members: [bossId] })
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
    const said = async (person: SandboxUser, place: object) => {
      const { message_id } = await person.sends(text, place)
      return (await person.sees((one) => one.message_id > message_id && one.from?.is_bot === true)).text
    }
    const toEverybody = await said(hugo, {})
    for (const place of [{ via_bot: 'some_inline_bot' }, { forwarded_from: hugo.id }])
      expect(await said(boss, place)).toBe(toEverybody)
  }
  await desk.hasBalance(hugo, '₽500')
  const log = await desk.asks('/admin log', /granted|Nothing has been done/)
  expect(log.text).not.toContain('please')
})

it('an invalid user number in a tap gets the answer to an outdated button', async () => {
  const shown = await desk.asks('/balance', /^Balance/)
  const before = (await boss.answers()).length
  const taps = ['ad:u:', 'ad:q:grant:', 'ad:o:', 'ad:p:'].flatMap((tap) =>
    ['9223372036854775808', '999999999999'].map((number) => tap + number),
  )
  for (const data of taps) await boss.tapsData(shown.message_id, data)
  await expect.poll(async () => (await boss.answers()).length).toBe(before + taps.length)
  const answers = (await boss.answers()).slice(before).map(({ text = '' }) => text)
  expect(answers.filter((text) => !text.includes('no longer works'))).toEqual([])
})
