// Money in groups: no message there shows a balance, cards name their owner and the payer, and the wallet of a group is opened there, managed in
// the private chat of its owner, and pays for cards in the group, not for people who write there without being members.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { alone, groupOf, groupWithWallet, newGroup } from '../../support/users/group.ts'
import { sharedSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '400' })
/** The same sandbox, whose users have 100 ₽. */
const modest: TestSandbox = {
  ...sandbox,
  user: (name, language) => sandbox.user(name, language, { credit: '100' }),
}
const privately = ['Open the private chat']

/** Checks that the group shows no balance; Anna's is 100 ₽. */
const showsNoBalance = async (member: SandboxUser) =>
  expect(await member.transcript()).not.toMatch(/.?100|Balance:|Missing/)

describe('in a group,', () => {
  it('/start greets without the balance, leads to the private chat, and its button says how to ask here', async () => {
    const { anna } = await newGroup(modest)
    const shown = await anna.asks('/start', /Your balance and top-ups are in our private chat/)
    expect(labelsOf(shown).at(-1)).toBe(privately[0])
    await showsNoBalance(anna)
    await anna.tapsFor('💬 Question', /^💬 Write \/chat why is the sky blue\?, mention @\w+/)
  })

  it.each([
    ['/balance', 'balance'],
    ['/topup 300', 'topup_300'],
    ['/promo', 'promo'],
    ['/delete_me', 'delete_me'],
  ])('%s is answered in the private chat, or by a link that goes on there', async (command, start) => {
    const { anna } = await newGroup(modest)
    const own = alone(anna)
    const link = await anna.asks(command, /Open our private chat and press “Start”/)
    expect(labelsOf(link)).toEqual(privately)
    expect(link.reply_markup?.inline_keyboard?.[0]?.[0]?.url).toMatch(new RegExp(`\\?start=${start}$`))
    const first = await own.asks(`/start ${start}`, ({ from }) => from?.is_bot === true)
    expect(
      labelsOf(
        await anna.asks(
          command.replace(/^\S+/, '$&@sandbox_generation_bot'),
          /I answered in our private chat/,
        ),
      ),
    ).toEqual(privately)
    const again = await own.sees(
      ({ from, message_id }) => from?.is_bot === true && message_id > first.message_id,
    )
    expect(textOf(again)).toBe(textOf(first))
    await showsNoBalance(anna)
    if (start !== 'promo') return
    await own.asks('NOSUCHCODE', /no such promo code/)
  })

  it('/help lists the commands for groups and who pays, and /chat says how to ask', async () => {
    const { anna } = await newGroup(modest)
    const shown = await anna.asks(
      '/help',
      /What I can do in this group[\s\S]*\/image[\s\S]*Orders: whoever places them[^\n]*\nAnswers: whoever asks\./,
    )
    expect(labelsOf(shown)).toEqual(privately)
    expect(shown.text).not.toMatch(/\/(topup|balance|statement|promo|export|delete_me|presets)/)
    const told = await anna.asks(
      '/chat',
      /To ask here, write \/chat your question, mention @\w+ or reply to one of my messages/,
    )
    expect(told.text).toContain('Whoever asks pays.')
    expect((await anna.asks('/invite', /start=ref_/)).text).not.toContain('Earned')
  })

  it('an old button for a top-up opens nothing', async () => {
    const { anna } = await newGroup(modest)
    const { message_id } = await anna.asks('/settings', 'Язык / Language')
    const forged = ['t', 't:10000', 't:10000:stars', 'te:10000:yookassa']
    for (const data of forged) await anna.tapsData(message_id, data)
    await expect.poll(async () => (await anna.answers()).length).toBe(forged.length)
    expect(await anna.chat()).toHaveLength(2)
  })

  it('a question that its author cannot pay is answered without an amount', async () => {
    const anna = await sandbox.user('Anna', 'en', { credit: '0' })
    const id = await groupOf(sandbox, anna)
    const answer = await anna.in(id).asks('/chat hello', /Anna, your balance isn’t enough for an answer/)
    expect(labelsOf(answer)).toEqual(privately)
    expect(answer.text).not.toMatch(/₽/)
  })
})

it('a card in a group names its owner and the payer, tells only its owner how much is missing, and is nobody else’s', async () => {
  const { anna, boris } = await newGroup(modest)
  await anna.asks('/video a cat', /Price: ₽92.45[^\n]*\n👤 Ordered and paid by Anna$/)
  await boris.hears(/^Generate/, /not yours/)
  await anna.tapsAll('⚙️ More', /^Duration/, /^10 s/, /^Generate · .?184.90/)
  await anna.isTold(/You’re ₽84.90 short/)
  expect(labelsOf(await anna.sees(/Anna, your balance isn’t enough/))).toEqual(privately)
  await showsNoBalance(anna)
  expect(await anna.transcript()).not.toMatch(/[^1]84.90/)
})

it('“Change” below the result of another user opens a card that belongs to the user who tapped, and none in another chat', async () => {
  const { anna, boris } = await newGroup(sandbox)
  await anna.opens('/image a red fox', /^Generate/)
  const result = await anna.sees((message) => message.photo !== undefined)
  await boris.tapsFor(/^✏️ Change/, /Prompt: a red fox[\s\S]*👤 Ordered and paid by Boris/)
  const own = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, boris.chatId))
  expect(new Set(own.map(({ userId }) => userId)).size).toBe(2)
  const change = dataOf(result, /^✏️ Change/)
  const eve = await sandbox.user('Eve')
  const { message_id } = await eve.asks('/settings', 'Язык / Language')
  await eve.tapsData(message_id, change)
  await eve.isTold(/not yours/)
})

const balanceIs = async (user: SandboxUser, amount: string) =>
  expect(await alone(user).balance()).toMatch(new RegExp(`^₽${amount}$`))
const walletIs = (owner: SandboxUser, wanted: RegExp) => alone(owner).asks('/wallet', wanted)
const isPicture = ({ photo }: SandboxMessage) => photo !== undefined

it('an administrator opens a wallet in the group and fills it in the private chat, once for each message', async () => {
  const { anna, boris } = await newGroup(sandbox, { title: 'Surfers' })
  await boris.asks('/wallet', /has no wallet/)
  await anna.sends('/wallet')
  await anna.seesButton('Open a wallet')
  await boris.hears('Open a wallet', /Only an admin/)
  const shown = await anna.tapsFor('Open a wallet', /The group wallet is open, Anna pays/)
  expect(shown.reply_markup?.inline_keyboard?.flat()[0]?.url).toMatch(/\?start=wallet$/)
  const own = alone(anna)
  const card = await own.asks(
    '/start wallet',
    /Surfers · on[\s\S]*Left: .?0(?!\.)[\s\S]*Each member: up to .?100 [\s\S]*Only you manage/,
  )
  const [fill] = card.reply_markup?.inline_keyboard?.flat() ?? []
  expect(fill?.text).toMatch(/^\+ .?100/)
  for (const data of [fill?.callback_data, fill?.callback_data])
    await own.tapsData(card.message_id, data ?? '')
  await own.sees(/Left: .?100/)
  await balanceIs(anna, '300')
  await walletIs(anna, /Left: .?100/)
  expect(await anna.transcript()).not.toMatch(/Left|.?300/)
})

it('a card in the group is paid from the wallet, which its message and receipt say, and the owner sees what each member spent', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.asks('/image a fox', /👤 Ordered by Boris, paid from the group wallet/)
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 503 }, 999)
  await boris.tapsFor(/^Generate/, /has not answered since[\s\S]*goes back to the group wallet/)
  sandbox.faults.clear()
  await boris.sees(isPicture)
  await boris.opens('/history', '1')
  await boris.sees(/Picture · [\s\S]*Paid from the group wallet/)
  await balanceIs(boris, '400')
  await anna.asks(
    '/wallet',
    /Group wallet: Anna pays for the members’ orders[\s\S]*• Boris — ₽5.28 · 1 order/,
  )
  await anna.sees(/Only its owner tops up the wallet and changes the limit/)
  await walletIs(anna, /Left: ₽294.72[\s\S]*• Boris — ₽5.28 · 1 order/)
  await alone(boris).asks('/statement', /1 of 1/)
  await alone(anna).asks('/statement', /To a group wallet: −.?300.00/)

  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
  await boris.opens('/video a cat', /^Generate/)
  await boris.sees(/₽92.45 is back in the group wallet/)
  await boris.asks('/image a fox [gone]', /a fox[\s\S]*Price/)
  await boris.tapsFor(/^Generate/, /₽5.28 is back in the group wallet/)
  await walletIs(anna, /Left: ₽294.72/)
})

it("a card above a member's limit is paid by the member and says why, until the owner raises the limit", async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.asks('/video a dog', /paid from the group wallet[\s\S]*limit: .?100 left of .?100/)
  await boris.tapsFor(
    ['⚙️ More', /^Duration/, '10 s'],
    /Ordered and paid by Boris[\s\S]*of this member’s limit/,
  )
  await alone(anna).tapsFor(['Limit per member', /^₽50$/], /Each member: up to .?50/)
  const card = await boris.asks(
    '/video a cat',
    /a cat[\s\S]*can’t pay for this: .?50 is left of this member’s limit, .?50/,
  )
  expect(labelsOf(card)).not.toContain('👛 Pay from the group wallet')
  await alone(anna).tapsFor(['Limit per member', 'No limit'], /Each member: no daily limit/)
  await boris.tapsAll('⚙️ More', '‹ Back')
  await boris.tapsFor('👛 Pay from the group wallet', /paid from the group wallet\n👛 In the wallet: .?300/)
})

it('a wallet that is short or off says so on Generate and on the next card, and the member can pay instead', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.asks('/image a fox', /paid from the group wallet/)
  await alone(anna).tapsFor('↩️ Take the rest back', /Left: .?0(?!\.)/)
  await balanceIs(anna, '400')
  await boris.hears(/^Generate/, /not enough in the group wallet/)
  await alone(anna).tapsFor('⏸ Switch off', /Surfers · off/)
  await boris.hears(/^Generate/, /The group wallet is off/)
  await alone(anna).tapsFor('▶️ Switch on', /Surfers · on/)
  const card = await boris.asks('/image an owl', /an owl[\s\S]*Ordered and paid by Boris/)
  expect(card.text).toMatch(/group wallet can’t pay for this: it has .?0$/m)
  expect(card.text).not.toContain('400')
  expect(labelsOf(card)).not.toContain('👛 Pay from the group wallet')
  await boris.tapsFor(/^Generate/, isPicture)
  await balanceIs(boris, '394.72')
})

it('“Again” does not charge a member in place of a wallet that has too little money or was switched off', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.sends('/image a fox')
  await boris.tapsFor(/^Generate/, isPicture)
  await alone(anna).tapsFor('↩️ Take the rest back', /Left: .?0(?!\.)/)
  await boris.tapsAll(/^⋯/, /^🔁 .* · /)
  await boris.isTold(/paid from another balance now/)
  await boris.sees(/group wallet can’t pay for this/)
  await alone(anna).tapsFor('⏸ Switch off', /Surfers · off/)
  await boris.tapsFor(/^🔁 .* · /, /Ordered and paid by Boris$/)
  await balanceIs(boris, '400')
})

it('a card that the wallet pays says that rewriting its prompt is paid by the member', async () => {
  const { boris } = await groupWithWallet(sandbox)
  await boris.opens('/image кот на сёрфе', '⚙️ More', /^🎛 Model/, /^Photo/)
  await boris.sees(/understands English only[\s\S]*Rewriting is paid from your own balance/)
  await boris.tapsFor(/^🌐 Translate/, /Prompt: kot na syorfe[\s\S]*paid from the group wallet/)
  await balanceIs(boris, '399.\\d\\d')
})

it('an owner whose balance is short tops up, and moves the money into the wallet with one tap, offered once', async () => {
  const { anna } = await groupWithWallet(sandbox)
  const own = alone(anna)
  const pays = async () => {
    await own.pays(await own.tapsFor('💳 Card', (message) => message.invoice !== undefined))
  }
  await own.tapsFor(/^\+ .?500/, /Your balance is ₽400 short/)
  await own.taps(/^💳 Top up .?400/)
  await pays()
  await own.sees(/Move the money into the wallet of Surfers/)
  await own.tapsFor(/^👛 Move .?500/, /Left: .?800\n[\s\S]*Add from your balance \(.?0\)/)
  await balanceIs(anna, '0')
  await own.tapsAll('💳 Top up my balance', /^.?1,?000/)
  await pays()
  const offer = await own.sees(/Move the money into the wallet of Surfers/)
  expect(labelsOf(offer)).toEqual([expect.stringMatching(/^👛 Move .?1,?000/)])
  await own.asks('/topup 100', /like to pay .?100/)
  await pays()
  await own.sees(/₽100 added[\s\S]*Balance: .?1,100/)
  expect((await own.transcript()).match(/Move the money/g)).toHaveLength(1)
})

it('a user who does not own the wallet cannot manage it; when the bot leaves the group, it is switched off and its owner is told', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  const card = await alone(anna).sees(/Left: .?300/)
  const other = alone(boris)
  const { message_id } = await other.asks('/settings', 'Язык / Language')
  const buttons = card.reply_markup?.inline_keyboard?.flat() ?? []
  for (const { callback_data } of buttons) await other.tapsData(message_id, callback_data ?? '')
  await expect.poll(async () => (await other.answers()).length).toBe(buttons.length)
  const answers = (await other.answers()).map(({ text = '' }) => text)
  expect(answers.filter((text) => !text.includes('not yours'))).toEqual([])
  await walletIs(anna, /on[\s\S]*Left: .?300/)

  await anna.removesBot()
  const own = alone(anna)
  await own.sees(/A group wallet is switched off[\s\S]*₽300 is left in it/)
  await walletIs(anna, /Surfers · off/)
  await own.tapsFor('↩️ Take the rest back', /Left: ₽0/)
  await balanceIs(anna, '400')
  await own.hears('▶️ Switch on', /no longer an admin of this group/)
  await walletIs(anna, /Surfers · off/)
})

describe('Strangers:', async () => {
  /** The owner of the wallet, a member of the group, and a stranger. */
  let anna: SandboxUser
  let boris: SandboxUser
  let clara: SandboxUser
  let id: number

  beforeEach(async () => {
    ;({ id, anna, boris } = await groupWithWallet(sandbox, { open: true, admin: true }))
    clara = (await sandbox.user('Clara')).in(id)
  })

  const walletIsUntouched = async () => {
    await alone(anna).asks('/wallet', /Left: .?300$/m)
  }
  const photos = async () => (await anna.chat()).filter(({ photo }) => photo !== undefined)

  it('a stranger pays for a new card, which offers no choice of the payer, also with forged data', async () => {
    expect((await clara.asks('/help', /What I can do in this group/)).text).not.toMatch(
      /Orders: the group wallet/,
    )
    const card = await clara.asks('/image a fox', /Ordered and paid by Clara/)
    expect(card.text).toMatch(/pays only for members of the group/)
    expect(JSON.stringify(card.reply_markup)).not.toContain('Pay from the group wallet')
    const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, id))
    await clara.tapsData(card.message_id, taps.payBy.data({ draftId: draft?.id ?? '', payer: 'group' }))
    await clara.isTold(/pays only for members of the group/)
    await clara.taps(/^Generate/)
    await expect.poll(photos).toHaveLength(1)
    await alone(clara).asks('/balance', /.?394.72/)
    await walletIsUntouched()
  })

  it('a tap on a card that the wallet was to pay does not pay for somebody who has left since', async () => {
    await clara.sends('/image a fox')
    await clara.seesButton(/^Generate/)
    await sandbox.app.db.update(drafts).set({ byGroup: true }).where(eq(drafts.chatId, id))
    await clara.hears(/^Generate/, /Join the group, or pay from your own balance/)
    await walletIsUntouched()
    expect(await photos()).toEqual([])
  })

  it.each([
    { kind: 'error', status: 502, description: 'Bad Gateway' },
    { kind: 'error', status: 400, description: 'Bad Request: member list is inaccessible' },
  ])(
    'while Telegram answers "$description", a member who was never seen pays, and can choose the wallet afterwards',
    async (fault) => {
      await sandbox.breaks('telegram', 'getChatMember', fault, 99)
      await boris.asks(
        '/image a fox',
        /Ordered and paid by Boris[\s\S]*doesn’t tell me whether this person is a member/,
      )
      await boris.hears('👛 Pay from the group wallet', /doesn’t tell me whether you’re a member/)
      await anna.asks('/image an owl', /Ordered by Anna, paid from the group wallet/)
      sandbox.faults.clear()
      await boris.tapsFor('👛 Pay from the group wallet', /a fox[\s\S]*Boris, paid from the group wallet/)
    },
  )
})
