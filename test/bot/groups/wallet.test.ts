// The wallet of a group as its members see it: opened in the group, managed in the private chat of its owner. It pays for cards in the
// group unless a member chooses to pay.

import { describe, expect, it } from 'vitest'
import { alone, groupWithWallet, newGroup } from '../../support/users/group.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '400' })

const balanceIs = async (user: SandboxUser, amount: string) => {
  const { message_id: asked } = await alone(user).sends('/balance')
  const isAnswer = ({ message_id, text = '' }: SandboxMessage) => message_id > asked && /^Balance/.test(text)
  expect((await alone(user).sees(isAnswer)).text).toMatch(new RegExp(`Balance: ₽${amount}(?![\\d.,])`))
}
const walletIs = async (owner: SandboxUser, wanted: RegExp) => {
  const { message_id: asked } = await alone(owner).sends('/wallet')
  await alone(owner).sees(({ message_id, text = '' }) => message_id > asked && wanted.test(text))
}
const isPicture = ({ photo }: SandboxMessage) => photo !== undefined
const isVideo = ({ video }: SandboxMessage) => video !== undefined
/** Orders the newest card, and waits for the result. */
const generates = async (user: SandboxUser, result = isPicture) => {
  await user.taps(/^Generate/)
  await user.sees(result)
}

it('an administrator opens a wallet in the group and fills it in the private chat, once for each message', async () => {
  const { anna, boris } = await newGroup(sandbox, { title: 'Surfers' })
  await boris.sends('/wallet')
  await boris.sees(/has no wallet/)
  await anna.sends('/wallet')
  await anna.seesButton('Open a wallet')
  await boris.taps('Open a wallet')
  await boris.isTold(/Only an admin/)
  await anna.taps('Open a wallet')
  const shown = await anna.sees(/The group wallet is open, Anna pays/)
  expect(shown.reply_markup?.inline_keyboard?.flat()[0]?.url).toMatch(/\?start=wallet$/)
  const own = alone(anna)
  await own.sends('/start wallet')
  const card = await own.sees(
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

it('a card in the group is paid from the wallet, and the owner sees the spending of each member', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.sends('/image a fox')
  await boris.sees(/👤 Ordered by Boris, paid from the group wallet/)
  await generates(boris)
  await balanceIs(boris, '400')
  await anna.sends('/wallet')
  await anna.sees(/Group wallet: Anna pays for the members’ orders[\s\S]*• Boris — ₽5.28 · 1 order/)
  await anna.sees(/Only its owner tops up the wallet and changes the limit/)
  await walletIs(anna, /Left: ₽294.72[\s\S]*• Boris — ₽5.28 · 1 order/)
  await alone(boris).sends('/statement')
  await alone(boris).sees(/1 of 1/)
  await alone(anna).sends('/statement')
  await alone(anna).sees(/To a group wallet: −.?300.00/)
})

it('a member can switch a card between their own balance and the wallet', async () => {
  const { boris } = await groupWithWallet(sandbox)
  await boris.sends('/image a fox')
  await boris.taps('👤 Pay from my balance')
  await boris.sees(/Ordered and paid by Boris/)
  await boris.taps('👛 Pay from the group wallet')
  await boris.sees(/paid from the group wallet/)
  await boris.taps('👤 Pay from my balance')
  await boris.sees(/Ordered and paid by Boris/)
  await generates(boris)
  await balanceIs(boris, '394.72')
})

it("a card above a member's limit is paid by the member and says why, until the owner raises the limit", async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.sends('/video a dog')
  await boris.sees(/paid from the group wallet[\s\S]*limit: .?100 left of .?100/)
  await boris.taps('⚙️ More')
  await boris.taps(/^Duration/)
  await boris.taps('10 s')
  await boris.sees(/Ordered and paid by Boris[\s\S]*of this member’s limit/)
  await alone(anna).taps('Limit per member')
  await alone(anna).taps(/^₽50$/)
  await alone(anna).sees(/Each member: up to .?50/)
  await boris.sends('/video a cat')
  await boris.sees(/a cat[\s\S]*can’t pay for this: .?50 is left of this member’s limit, .?50/)
  await boris.taps('👛 Pay from the group wallet')
  await boris.isTold(/Your limit in the group wallet is ₽50 a day, ₽50 is left for today/)
  await alone(anna).taps('Limit per member')
  await alone(anna).taps('No limit')
  await alone(anna).sees(/Each member: no daily limit/)
  await boris.taps('👛 Pay from the group wallet')
  await boris.sees(/paid from the group wallet\n👛 In the wallet: .?300/)
  await generates(boris, isVideo)
  await balanceIs(boris, '400')
  await walletIs(anna, /Left: ₽207.55/)
})

it('a failure, and a lost file, return the money to the wallet and say so', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
  await boris.sends('/video a cat')
  await boris.taps(/^Generate/)
  await boris.sees(/₽92.45 is back in the group wallet/)
  await boris.sends('/image a fox [gone]')
  await boris.sees(/a fox[\s\S]*Price/)
  await boris.taps(/^Generate/)
  await boris.sees(/₽5.28 is back in the group wallet/)
  await walletIs(anna, /Left: ₽300/)
  await balanceIs(boris, '400')
})

it('a wallet that is short or off says so on Generate and on the next card, and the member can pay instead', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  await boris.sends('/image a fox')
  await boris.sees(/paid from the group wallet/)
  await alone(anna).taps('↩️ Take the rest back')
  await alone(anna).sees(/Left: .?0(?!\.)/)
  await balanceIs(anna, '400')
  await boris.taps(/^Generate/)
  await boris.isTold(/not enough in the group wallet/)
  await alone(anna).taps('⏸ Switch off')
  await alone(anna).sees(/Surfers · off/)
  await boris.taps(/^Generate/)
  await boris.isTold(/The group wallet is off/)
  await alone(anna).taps('▶️ Switch on')
  await alone(anna).sees(/Surfers · on/)
  await boris.sends('/image an owl')
  const card = await boris.sees(/an owl[\s\S]*Ordered and paid by Boris/)
  expect(card.text).toMatch(/group wallet can’t pay for this: it has .?0$/m)
  expect(card.text).not.toContain('400')
  await generates(boris)
  await balanceIs(boris, '394.72')
})

describe('“Change” and “Again”', () => {
  it('below a result that a member paid opens a card of the member who taps, who pays while the wallet is off', async () => {
    const { anna, boris } = await groupWithWallet(sandbox)
    await alone(anna).taps('⏸ Switch off')
    await alone(anna).sees(/Surfers · off/)
    await boris.sends('/image a fox')
    await boris.sees(/Ordered and paid by Boris/)
    await generates(boris)
    await anna.taps(/^✏️ Change/)
    await anna.sees(/Prompt: a fox[\s\S]*Ordered and paid by Anna/)
    await anna.taps(/^Generate/)
    await expect.poll(async () => (await anna.chat()).filter(isPicture)).toHaveLength(2)
    await balanceIs(anna, '94.72')
    await balanceIs(boris, '394.72')
    await walletIs(anna, /Surfers · off[\s\S]*Left: .?300/)
  })

  it('does not charge a member in place of a wallet that has too little money or was switched off', async () => {
    const { anna, boris } = await groupWithWallet(sandbox)
    await boris.sends('/image a fox')
    await generates(boris)
    await alone(anna).taps('↩️ Take the rest back')
    await alone(anna).sees(/Left: .?0(?!\.)/)
    await boris.taps(/^⋯/)
    await boris.taps(/^🔁 .* · /)
    await boris.isTold(/paid from another balance now/)
    await boris.sees(/group wallet can’t pay for this/)
    await alone(anna).taps('⏸ Switch off')
    await alone(anna).sees(/Surfers · off/)
    await boris.taps(/^🔁 .* · /)
    await boris.sees(/Ordered and paid by Boris$/)
    await balanceIs(boris, '400')
  })
})

it('a card that the wallet pays says that rewriting its prompt is paid by the member', async () => {
  const { boris } = await groupWithWallet(sandbox)
  await boris.sends('/image кот на сёрфе')
  await boris.taps('⚙️ More')
  await boris.taps(/^🎛 Model/)
  await boris.taps(/^Photo/)
  await boris.sees(/understands English only[\s\S]*Rewriting is paid from your own balance/)
  await boris.taps(/^🌐 Translate/)
  await boris.sees(/Prompt: kot na syorfe[\s\S]*paid from the group wallet/)
  await balanceIs(boris, '399.\\d\\d')
})

it('an owner whose balance is short tops up, and moves the money into the wallet with one tap, offered once', async () => {
  const { anna } = await groupWithWallet(sandbox)
  const own = alone(anna)
  const pays = async () => {
    await own.taps('💳 Card')
    await own.pays(await own.sees((message) => message.invoice !== undefined))
  }
  await own.taps(/^\+ .?500/)
  await own.sees(/Your balance is ₽400 short/)
  await own.taps(/^💳 Top up .?400/)
  await pays()
  await own.sees(/Move the money into the wallet of Surfers/)
  await own.taps(/^👛 Move .?500/)
  await own.sees(/Left: .?800\n[\s\S]*Add from your balance \(.?0\)/)
  await balanceIs(anna, '0')
  await own.taps('💳 Top up my balance')
  await own.taps(/^.?1,?000/)
  await pays()
  const offer = await own.sees(/Move the money into the wallet of Surfers/)
  expect(labelsOf(offer)).toEqual([expect.stringMatching(/^👛 Move .?1,?000/)])
  await own.sends('/topup 100')
  await own.sees(/like to pay .?100/)
  await pays()
  await own.sees(/₽100 added[\s\S]*Balance: .?1,100/)
  expect((await own.transcript()).match(/Move the money/g)).toHaveLength(1)
})

it('the message of an order and its receipt name the wallet as the payer', async () => {
  const { boris } = await groupWithWallet(sandbox)
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 503 }, 999)
  await boris.sends('/image a fox')
  await boris.taps(/^Generate/)
  await boris.sees(/has not answered since[\s\S]*goes back to the group wallet/)
  sandbox.faults.clear()
  await boris.sees(isPicture)
  await boris.sends('/history')
  await boris.taps('1')
  await boris.sees(/Picture · [\s\S]*Paid from the group wallet/)
})

it('a user who does not own the wallet cannot manage it', async () => {
  const { anna, boris } = await groupWithWallet(sandbox)
  const card = await alone(anna).sees(/Left: .?300/)
  const other = alone(boris)
  await other.sends('/settings')
  const { message_id } = await other.sees('Язык / Language')
  const buttons = card.reply_markup?.inline_keyboard?.flat() ?? []
  for (const { callback_data } of buttons) await other.tapsData(message_id, callback_data ?? '')
  await expect.poll(async () => (await other.answers()).length).toBe(buttons.length)
  const answers = (await other.answers()).map(({ text = '' }) => text)
  expect(answers.filter((text) => !text.includes('not yours'))).toEqual([])
  await walletIs(anna, /on[\s\S]*Left: .?300/)
})

it('when the bot is removed from the group, the wallet is switched off and its owner is told', async () => {
  const { anna } = await groupWithWallet(sandbox)
  await anna.removesBot()
  const own = alone(anna)
  await own.sees(/A group wallet is switched off[\s\S]*₽300 is left in it/)
  await walletIs(anna, /Surfers · off/)
  await own.taps('↩️ Take the rest back')
  await own.sees(/Left: ₽0/)
  await balanceIs(anna, '400')
  await own.taps('▶️ Switch on')
  await own.isTold(/no longer an admin of this group/)
  await walletIs(anna, /Surfers · off/)
})
