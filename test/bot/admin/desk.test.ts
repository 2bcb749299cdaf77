// The operators' desk in the chat: figures, users, money with reasons, the log. No other user can use any of it.

import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { atDesk } from '../../support/users/desk.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const bossId = 900_001
let sandbox: TestSandbox
let boss: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  const OPERATOR_TIME_ZONE = zoneOfNoon(new Date())
  sandbox = await openSandbox('postgres', {
    ADMIN_IDS: String(bossId),
    SUPPORT_CONTACT: '@help',
    OPERATOR_TIME_ZONE,
  })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  desk = atDesk(boss, sandbox)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** A time zone in which it is noon or a little later: “today” does not end while the tests run. */
function zoneOfNoon(now: Date): string {
  const ahead = 12 - now.getUTCHours()
  // `Etc/GMT-5` is five hours ahead of UTC.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

const isCaption = (pattern: RegExp) => (message: SandboxMessage) => pattern.test(message.caption ?? '')
/** Opens the card of a user. */
async function opens(who: string): Promise<string> {
  await boss.sends(`/user ${who}`)
  const card = await boss.sees(new RegExp(`${who}[\\s\\S]*Number: #`))
  return /#(\d+)/.exec(card.text ?? '')?.[1] ?? ''
}

describe('/admin', () => {
  it('shows figures with a chart, and its buttons change the period', async () => {
    const anna = await desk.newUser('Anna')
    await anna.sends('/image a fox, watercolour')
    await anna.taps('Generate · ₽5.28')
    await anna.sees(isCaption(/₽5.28/))
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
    const number = await opens('Борис')
    await boss.taps('➕ Grant')
    const question = await boss.sees(new RegExp(`/grant #${number}$`))
    await boss.sends('250 ₽ за терпение', { reply_to: question.message_id })
    await boss.sees(/Add ₽250\.00 to Борис.*reason: за терпение/)
    await boss.taps('✅ Yes')
    await boss.sees(/Борис: added ₽250\.00\. Balance: ₽750\.00/)
    await boris.sees(/начислено 250,00 ₽[\s\S]*Причина: за терпение[\s\S]*750,00 ₽/)
  })

  it('is debited by a command that names the user, up to the balance, after one more tap', async () => {
    const dora = await desk.newUser('Dora')
    await boss.sends('/debit Dora 100 granted by mistake')
    const question = await boss.sees(/Take ₽100\.00 from Dora · #\d+\?.*reason: granted by mistake/)
    await dora.sends('/balance')
    await dora.sees('₽500.00')
    await boss.taps('✅ Yes')
    await boss.sees(/Dora: taken ₽100.00\. Balance: ₽400.00/)
    await dora.sees(/₽100.00 was taken off your balance[\s\S]*granted by mistake/)
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await boss.sends('/debit Dora 400.01 too much')
    await boss.sees(/Dora has only ₽400.00/)
    await boss.sends('/grant Dora 100')
    await boss.sees(/An amount and a reason, please/)
    await dora.sends('/balance')
    await dora.sees('₽400.00')
  })

  it('is not changed after No, or when the command matches no user or several users', async () => {
    const nora = await desk.newUser('Nora')
    await opens('Nora')
    await boss.sends('/grant Nora 100 a gift')
    await boss.sees(/Add ₽100\.00 to Nora/)
    await boss.taps('✖ No')
    await boss.sees(/Add ₽100\.00 to Nora[\s\S]*✖ No$/)
    await boss.sends('/grant 100 a gift')
    await boss.sees(/Nobody found: 100/)
    await boss.sends('/grant Norbert 100 a gift')
    await boss.sees(/Nobody found: Norbert/)
    await boss.sends('/ban')
    await boss.sees(/Who is it about\?/)
    await desk.newUser('Noramun')
    await boss.sends('/ban Nora spam')
    await boss.sees(/Several people match “Nora”/)
    await nora.sends('/balance')
    await nora.sees('₽500.00')
  })

  it('is changed after a question when the command names only the user', async () => {
    const nina = await desk.newUser('Nina')
    await boss.sends('/grant Nina')
    await boss.sees(/How many roubles should Nina get/)
    await boss.sends('100 for patience')
    await boss.taps('✅ Yes')
    await boss.sees(/Nina: added ₽100\.00/)
    await nina.sees(/₽100\.00 was added/)
  })

  it('is credited once when the update comes twice', async () => {
    const eva = await desk.newUser('Eva')
    const number = await opens('Eva')
    await boss.sends(`/grant #${number} 1 once`)
    await boss.sees(/Add ₽1\.00 to Eva/)
    await sandbox.breaks('telegram', 'update', { kind: 'twice' })
    await boss.taps('✅ Yes')
    await boss.sees(/Eva: added ₽1.00/)
    await boss.sends('/admin log')
    const log = await boss.sees(new RegExp(`granted · user:${number} ₽1.00 once`))
    expect(log.text?.match(/ ₽1.00 once/g)).toHaveLength(1)
    await eva.sends('/balance')
    await eva.sees('₽501.00')
  })

  it('cannot be changed for a user who is not found', async () => {
    await boss.sends('/grant #999999 5 nobody')
    await boss.sees(/Nobody found: #999999/)
    await boss.sends('/user nobody-like-this')
    await boss.sees(/Nobody found: nobody-like-this/)
  })
})

describe('for users who are not operators,', () => {
  it.each([
    '/admin',
    '/admin log',
    '/user Anna',
    '/grant #1 500 please',
    '/debit #1 1 x',
    '/ban #1 x',
    '/unban #1 x',
    '/refund 0123456789 x',
    '/refund_payment 0123456789 x',
    '/promo_add MINE 1000 1000',
    '/broadcast',
  ])('%s is an unknown command', async (command) => {
    const fred = await sandbox.user('Fred')
    await fred.sends(command)
    await fred.sees('don’t know this command')
    expect((await fred.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
  })

  it.each([
    'ad:f:7',
    'ad:log',
    'ad:find',
    'ad:reports',
    'ad:switches',
    'ad:s:off:maintenance',
    'ad:u:1',
    'ad:q:grant:1',
    'ad:d:yes',
    'ad:o:1',
    'ad:p:1',
    'ad:r:0123456789',
    'ad:y:0123456789',
    'ad:b:0123456789:start',
    'pr:0123456789',
    'pd:0123456789',
  ])('a forged tap %s does nothing', async (data) => {
    const gina = await desk.newUser('Gina')
    const message = await gina.sees('₽500.00')
    await gina.tapsData(message.message_id, data)
    await gina.isTold(/no longer works/)
    expect((await gina.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
  })

  it('a reply to a text that looks like a question credits nothing', async () => {
    const hugo = await desk.newUser('Hugo')
    const own = await hugo.sends('✏️ How much?\n/grant #1')
    await hugo.sends('500 please', { reply_to: own.message_id })
    await hugo.sends('/balance')
    await hugo.sees('₽500.00')
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
  expect((await inGroup.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
})

it('a reply to the card of a user whose name looks like a command credits nothing', async () => {
  const mallory = await desk.newUser('/grant #1')
  await boss.sends(`/user ${mallory.id}`)
  const card = await boss.sees(/\/grant #1 · —/)
  await boss.sends('900 for nothing', { reply_to: card.message_id })
  await boss.sends('/admin log')
  const log = await boss.sees(/granted|Nothing has been done/)
  expect(log.text).not.toContain('₽900')
})
