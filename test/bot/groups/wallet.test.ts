// The wallet of a group as its members see it: opened in the group, managed in the private chat of its owner. It pays for cards in the
// group unless a member chooses to pay.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '400' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

interface Group {
  readonly id: number
  /** The creator of the group, in the private chat. */
  readonly anna: SandboxUser
  readonly boris: SandboxUser
}

async function newGroup(language: 'ru' | 'en' = 'en'): Promise<Group> {
  const [anna, boris] = [await sandbox.user('Anna', language), await sandbox.user('Boris', language)]
  const { id } = await sandbox.post<{ id: number }>('/api/chats', {
    title: 'Surfers',
    members: [anna.id, boris.id],
  })
  return { id, anna, boris }
}

/** Creates a group whose wallet has 300 ₽. */
async function openGroup(): Promise<Group> {
  const group = await newGroup()
  const { id, anna } = group
  await anna.in(id).sends('/wallet')
  await anna.in(id).taps('Open a wallet')
  await anna.in(id).sees(/The group wallet is open, Anna pays/)
  await anna.sends('/wallet')
  await anna.taps(/^\+ .?300/)
  await anna.sees(/Surfers · on[\s\S]*Left: .?300.00/)
  return group
}

const balanceIs = async (user: SandboxUser, amount: RegExp) => {
  await user.sends('/balance')
  await user.sees(amount)
}
const result = (user: SandboxUser) => user.sees((message) => message.photo !== undefined)

describe.each([
  [
    'en',
    'Open a wallet',
    /The group wallet is open, Anna pays/,
    /Surfers · on[\s\S]*Left: .?0.00/,
    /Each member: up to .?100.00/,
    /has no wallet/,
  ],
  [
    'ru',
    'Завести кошелёк',
    /Кошелёк группы заведён, платит Anna/,
    /Surfers · включён[\s\S]*Осталось: .?0.00/,
    /Каждому — до .?100.00/,
    /нет кошелька/,
  ],
] as const)('in %s', (language, button, opened, empty, cap, none) => {
  it('an administrator opens a wallet in the group and fills it in the private chat', async () => {
    const { id, anna, boris } = await newGroup(language)
    await boris.in(id).sends('/wallet')
    await boris.in(id).sees(none)
    await anna.in(id).sends('/wallet')
    await anna.in(id).taps(button)
    const shown = await anna.in(id).sees(opened)
    const [link] = shown.reply_markup?.inline_keyboard?.flat() ?? []
    expect(link?.url).toMatch(/\?start=wallet$/)
    await anna.sends('/start wallet')
    await anna.sees(empty)
    await anna.sees(cap)
    await anna.sees(
      language === 'ru'
        ? /управляете только вы[\s\S]*• Лимит участника: /
        : /Only you manage[\s\S]*• Limit per member: /,
    )
    await anna.taps(/^\+ .?100/)
    await anna.sees(language === 'ru' ? /Осталось: .?100.00/ : /Left: .?100.00/)
    await balanceIs(anna, /.?300.00/)
    expect(await anna.in(id).transcript()).not.toMatch(/Left|Осталось|.?300.00/)
  })
})

it("another member cannot open a wallet with the administrator's button", async () => {
  const { id, anna, boris } = await newGroup()
  await anna.in(id).sends('/wallet')
  await boris.in(id).taps('Open a wallet')
  await boris.in(id).isTold(/Only an administrator/)
})

it('a card in the group is paid from the wallet, and the owner sees the spending of each member', async () => {
  const { id, anna, boris } = await openGroup()
  await boris.in(id).sends('/image a fox')
  await boris.in(id).sees(/👤 Ordered by Boris, paid from the group wallet/)
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await balanceIs(boris, /400.00/)
  await anna.in(id).sends('/wallet')
  await anna.in(id).sees(/Group wallet · paid by Anna[\s\S]*• Boris — ₽?5.28.?₽? · 1 order/)
  await anna.in(id).sees(/Only its owner fills the wallet and changes the limit/)
  await anna.sends('/wallet')
  await anna.sees(/Left: .?294.72[\s\S]*• Boris — ₽?5.28.?₽? · 1 order/)
  await boris.sends('/statement')
  await boris.sees(/1 of 1/)
  await anna.sends('/statement')
  await anna.sees(/To a group wallet: −.?300.00/)
})

it('a member can switch a card between their own balance and the wallet', async () => {
  const { id, boris } = await openGroup()
  await boris.in(id).sends('/image a fox')
  await boris.in(id).taps('👤 Pay from my balance')
  await boris.in(id).sees(/Ordered and paid by Boris/)
  await boris.in(id).taps('👛 Pay from the group wallet')
  await boris.in(id).sees(/paid from the group wallet/)
  await boris.in(id).taps('👤 Pay from my balance')
  await boris.in(id).sees(/Ordered and paid by Boris/)
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await balanceIs(boris, /.?394.72/)
})

it("a card above a member's limit is paid by the member and says why, until the owner raises the limit", async () => {
  const { id, anna, boris } = await openGroup()
  await anna.taps('Limit per member')
  await anna.taps(/.?50.00/)
  await anna.sees(/Each member: up to .?50.00/)
  await boris.in(id).sends('/video a cat')
  await boris
    .in(id)
    .sees(
      /Ordered and paid by Boris[\s\S]*cannot pay for it: .?50.00.{0,2} is left of this member’s limit, .?50.00/,
    )
  await boris.in(id).taps('👛 Pay from the group wallet')
  await boris
    .in(id)
    .isTold(/Your limit in the group wallet is ₽?50.00.?₽? a day, ₽?50.00.?₽? is left for today/)
  await anna.taps('Limit per member')
  await anna.taps('No limit')
  await anna.sees(/Each member: no daily limit/)
  await boris.in(id).taps('👛 Pay from the group wallet')
  await boris.in(id).sees(/paid from the group wallet\n👛 In the wallet: .?300.00/)
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).sees((message) => message.video !== undefined)
  await balanceIs(boris, /400.00/)
})

it('a card that an empty wallet cannot pay is paid by the member, and says so', async () => {
  const { id, anna, boris } = await openGroup()
  await anna.taps('↩️ Take the rest back')
  await anna.sees(/Left: .?0.00/)
  await boris.in(id).sends('/image a fox')
  const card = await boris.in(id).sees(/Ordered and paid by Boris/)
  expect(card.text).toMatch(/group wallet cannot pay for it: it has .?0.00/)
  expect(card.text).not.toMatch(/.?400.00/)
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await balanceIs(boris, /.?394.72/)
})

it("a card whose price rises above the wallet's limit is paid by the member from then on", async () => {
  const { id, boris } = await openGroup()
  await boris.in(id).sends('/video a cat')
  await boris.in(id).sees(/paid from the group wallet[\s\S]*limit: .?100.00.{0,2} left of .?100.00/)
  await boris.in(id).taps(/^Duration/)
  await boris.in(id).taps('10 s')
  await boris.in(id).sees(/Ordered and paid by Boris[\s\S]*of this member’s limit/)
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).sees((message) => message.video !== undefined)
  await balanceIs(boris, /.?215.10/)
})

it('a failure returns the money to the wallet and says so', async () => {
  const { id, anna, boris } = await openGroup()
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
  await boris.in(id).sends('/video a cat')
  await anna.taps('Limit per member')
  await anna.taps('No limit')
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).sees(/₽?92.45.?₽? is back in the group wallet/)
  await anna.sends('/wallet')
  await anna.sees(/Left: .?300.00/)
})

it('the price of a file that is lost returns to the wallet', async () => {
  const { id, anna, boris } = await openGroup()
  await boris.in(id).sends('/image a fox [gone]')
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).sees(/₽5.28 is back in the group wallet/)
  await anna.sends('/wallet')
  await anna.sees(/Left: .?300.00/)
  await balanceIs(boris, /.?400.00/)
})

it('a tap on Generate explains that the wallet is short or off, and the member can pay instead', async () => {
  const { id, anna, boris } = await openGroup()
  await boris.in(id).sends('/image a fox')
  await boris.in(id).sees(/paid from the group wallet/)
  await anna.taps('↩️ Take the rest back')
  await anna.sees(/Left: .?0.00/)
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).isTold(/not enough in the group wallet/)
  await anna.taps('⏸ Switch off')
  await anna.sees(/Surfers · off/)
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).isTold(/The group wallet is off/)
  await boris.in(id).taps('👤 Pay from my balance')
  await boris.in(id).sees(/Ordered and paid by Boris/)
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await balanceIs(anna, /400.00/)
})

it('“Again” below a result that a member paid opens a card of the member who taps, who pays while the wallet is off', async () => {
  const { id, anna, boris } = await openGroup()
  await anna.taps('⏸ Switch off')
  await anna.sees(/Surfers · off/)
  await boris.in(id).sends('/image a fox')
  await boris.in(id).sees(/Ordered and paid by Boris/)
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await anna.in(id).taps(/^🔁 .* · /)
  await anna.in(id).sees(/Prompt: a fox[\s\S]*Ordered and paid by Anna/)
  await anna.in(id).taps(/^Generate/)
  const results = async () => (await anna.in(id).chat()).filter(({ photo }) => photo !== undefined)
  await expect.poll(results).toHaveLength(2)
  await balanceIs(anna, /Balance: .?94.72/)
  await balanceIs(boris, /.?394.72/)
  await anna.sends('/wallet')
  await anna.sees(/Surfers · off[\s\S]*Left: .?300.00/)
})

it.each([
  ['was switched off', '⏸ Switch off', /Surfers · off/, /Ordered and paid by Boris/],
  ['has too little money', '↩️ Take the rest back', /Left: .?0.00/, /group wallet cannot pay for it/],
])('“Again” does not charge a member in place of a wallet that %s', async (_, button, done, card) => {
  const { id, anna, boris } = await openGroup()
  await boris.in(id).sends('/image a fox')
  await boris.in(id).taps(/^Generate/)
  await result(boris.in(id))
  await anna.taps(button)
  await anna.sees(done)
  await boris.in(id).taps(/^🔁 .* · /)
  await boris.in(id).isTold(/paid from another balance now/)
  await boris.in(id).sees(card)
  await balanceIs(boris, /.?400.00/)
})

it('a card that the wallet pays says that rewriting its prompt is paid by the member', async () => {
  const { id, boris } = await openGroup()
  await boris.in(id).sends('/image кот на сёрфе')
  await boris.in(id).taps(/^🎛 Model/)
  await boris.in(id).taps(/^Photo/)
  await boris.in(id).sees(/understands English only[\s\S]*text is paid from your own balance/)
  await boris.in(id).taps(/^🌐 Translate/)
  await boris.in(id).sees(/Prompt: kot na syorfe[\s\S]*paid from the group wallet/)
  await balanceIs(boris, /.?399.\d\d/)
})

it('a second tap on an amount of the same message moves no more money', async () => {
  const { anna } = await openGroup()
  const card = await anna.sees(/Left: .?300.00/)
  const data = card.reply_markup?.inline_keyboard?.flat()[0]?.callback_data ?? ''
  await anna.tapsData(card.message_id, data)
  await anna.tapsData(card.message_id, data)
  await anna.sees(/Left: .?400.00/)
  await balanceIs(anna, /Balance: .?0.00/)
})

describe('an owner whose balance is short', () => {
  const pay = async (anna: SandboxUser, way: string) => {
    await anna.taps(way)
    await anna.pays(await anna.sees((message) => message.invoice !== undefined))
  }

  it('tops up the missing amount, and moves the money into the wallet with one tap', async () => {
    const { anna } = await openGroup()
    await anna.taps(/^\+ .?500/)
    await anna.sees(/Your balance is ₽?400.00.?₽? short/)
    await anna.taps(/^💳 Top up .?400/)
    await pay(anna, '💳 Card')
    await anna.sees(/Move the money into the wallet of Surfers/)
    await anna.taps(/^👛 Move .?500.00/)
    await anna.sees(/Left: .?800.00[\s\S]*Add from your balance \(.?0.00/)
    await balanceIs(anna, /Balance: .?0.00/)
  })

  it('tops up any amount from the wallet, and is offered the move once', async () => {
    const { anna } = await openGroup()
    await anna.taps('💳 Top up my balance')
    await anna.taps(/^.?1,?000.00/)
    await pay(anna, '💳 Card')
    const offer = await anna.sees(/Move the money into the wallet of Surfers/)
    expect(labelsOf(offer)).toEqual([expect.stringMatching(/^👛 Move .?1,?000.00/)])
    await anna.sends('/topup 100')
    await anna.sees(/like to pay .?100.00/)
    await pay(anna, '💳 Card')
    await anna.sees(/Balance: .?1,?200.00/)
    await balanceIs(anna, /1,?200.00/)
    expect((await anna.transcript()).match(/Move the money/g)).toHaveLength(1)
  })
})

it('the message of an order and its receipt name the wallet as the payer', async () => {
  const { id, boris } = await openGroup()
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 503 }, 999)
  await boris.in(id).sends('/image a fox')
  await boris.in(id).taps(/^Generate/)
  await boris.in(id).sees(/has not answered since[\s\S]*goes back to the group wallet/)
  sandbox.faults.clear()
  await result(boris.in(id))
  await boris.in(id).sends('/history')
  await boris.in(id).taps('1')
  await boris.in(id).sees(/^🧾[\s\S]*Paid from the group wallet/)
})

it('a user who does not own the wallet cannot manage it', async () => {
  const { anna, boris } = await openGroup()
  const card = await anna.sees(/Left: .?300.00/)
  await boris.sends('/settings')
  const { message_id } = await boris.sees('Язык / Language')
  for (const button of card.reply_markup?.inline_keyboard?.flat() ?? []) {
    await boris.tapsData(message_id, button.callback_data ?? '')
    await boris.isTold(/not yours/)
  }
  await anna.sends('/wallet')
  await anna.sees(/Left: .?300.00/)
})

it('when the bot is removed from the group, the wallet is switched off and its owner is told', async () => {
  const { id, anna } = await openGroup()
  await anna.in(id).removesBot()
  await anna.sees(/A group wallet is switched off[\s\S]*₽?300.00.?₽? is left in it/)
  await anna.sends('/wallet')
  await anna.sees(/Surfers · off/)
  await anna.taps('↩️ Take the rest back')
  await balanceIs(anna, /400.00/)
  await anna.sends('/wallet')
  await anna.taps('▶️ Switch on')
  await anna.isTold(/not an administrator of this group any more/)
  await anna.sends('/wallet')
  await anna.sees(/Surfers · off/)
})

it('callback data with an amount of zero is not parsed', async () => {
  const { anna } = await openGroup()
  const wallet = await anna.sees(/Surfers · on/)
  const fill = wallet.reply_markup?.inline_keyboard
    ?.flat()
    .find((one) => one.callback_data?.startsWith('gwf:'))
  const forged = (fill?.callback_data ?? '').replace(/^(gwf:\d+):\d+/, '$1:0')
  expect(taps.fundWallet.parse(forged)).toBeUndefined()
})
