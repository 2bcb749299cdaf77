// Callback data is what anybody can send, about any message of the bot that they see: whatever a member of a group taps, it
// changes no message that is not theirs to change. Every handler of taps is tried.

import { Composer } from 'grammy'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { conversations, drafts, generations, quotes, turns, users } from '../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, type Wanted } from '../support/users/user.ts'

interface Ids {
  readonly draft: string
  readonly quote: string
  readonly generation: string
  readonly turn: string
  /** As lists of orders name whose they are. */
  readonly owner: string
}

/** What buttons can carry, in every shape that a handler takes, and two that none takes. */
const dataWith = ({ draft, quote, generation, turn, owner }: Ids): readonly string[] =>
  `c:${draft}:o:duration c:${draft}:v c:${draft}:n c:${draft}:m:MODEL-VIDEO-WAN c:${draft}:b c:${draft}:s:duration:7
  c:${draft}:x:seed c:${draft}:a:duration c:${draft}:y:style c:${draft}:d c:${draft}:z
  q:${quote} w k u:image u:video yd
  r:${generation} e:${generation} o:${generation}
  h:0:${owner} hg:${generation}:0 hs:${generation} hr:${generation}
  l:ru l:en d0 d1 d2:${Date.now() + 60_000} dx
  t t:10000 t:10000:stars te:10000:yookassa
  cs:${turn} cc:${turn} cr:${turn}
  ch:models ch:back ch:persona cm:gpt-5 ct:thinking ct:search
  ad:f:7 ad:log ad:find ad:u:1 ad:u:999999999999999999999 ad:q:grant:1 ad:o:1 ad:p:1 ad:r:0123456789 ad:y:0123456789
  ad:b:0123456789:start ad:switches ad:s:off:maintenance ad:reports pr:0123456789 pd:0123456789
  nonsense`.split(/\s+/)

/** What of these edits, deletes or orders, with what is one's own. */
const changingDataWith = ({ draft, quote, owner }: Ids): readonly string[] =>
  `c:${draft}:b c:${draft}:d c:${draft}:o:duration c:${draft}:v c:${draft}:n c:${draft}:a:duration
  q:${quote} w k u:video h:0:${owner} l:ru d0 ch:models ch:back`.split(/\s+/)

const targetNames = [
  'a result',
  'an answer',
  'a list of orders',
  'settings',
  'settings of the chat',
  'a card',
  'a question',
] as const
type TargetName = (typeof targetNames)[number]

let sandbox: TestSandbox
let triggers: readonly unknown[]
let anna: SandboxUser
let groupId: number
/** Of Anna's, in the group. */
const targets = new Map<TargetName, SandboxMessage>()
let ids: Ids
const strangers: SandboxUser[] = []

const isBots = ({ from }: SandboxMessage) => from?.is_bot === true
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

/** A stranger of the group who has not tapped yet: nobody may tap more than a few dozen times at once. */
function nextStranger(): SandboxUser {
  const one = strangers.pop()
  if (!one) throw new Error('more strangers are needed')
  return one.in(groupId)
}

beforeAll(async () => {
  const installed = vi.spyOn(Composer.prototype, 'callbackQuery')
  sandbox = await openSandbox('postgres', { TOPUP_ROUBLES_PER_STAR: '1' })
  triggers = installed.mock.calls.flatMap(([trigger]) => trigger)
  installed.mockRestore()
  const host = await sandbox.user('Host')
  const member = await sandbox.user('Anna')
  for (let at = 0; at < 24; at += 1) strangers.push(await sandbox.user(`Stranger ${at}`))
  const members = [host.id, member.id, ...strangers.map(({ id }) => id)]
  groupId = (await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members })).id
  anna = member.in(groupId)
  await setTargets()
  ids = await idsOf(anna)
})
afterAll(() => sandbox.stop())

/** One message of every kind that can be spoiled. */
async function setTargets(): Promise<void> {
  const keep = async (name: TargetName, wanted: Wanted) => {
    targets.set(name, await anna.sees(wanted))
  }
  await anna.sends('/image a fox')
  await anna.taps(/^Generate/)
  await keep('a result', ({ photo }) => photo !== undefined)
  await anna.sends('/chat hello [short]')
  await keep(
    'an answer',
    (message) => isBots(message) && labelsOf(message).includes('🔁 Again') && !message.photo,
  )
  await anna.sends('/history')
  await keep('a list of orders', /Your orders/)
  await anna.sends('/settings')
  await keep('settings', 'Язык / Language')
  await anna.sends('/model')
  await keep('settings of the chat', /for a million tokens/)
  await anna.sends('/video a cat')
  await keep('a card', isCard)
  await anna.sends('/video')
  await keep('a question', /Write the answer/)
}

const nobodys = '0123456789'

async function idsOf({ id }: SandboxUser): Promise<Ids> {
  const { db } = sandbox.app
  const user = (await db.select().from(users)).find(({ telegramId }) => telegramId === id)
  const own = <T extends { userId: bigint }>(rows: readonly T[]) =>
    rows.filter(({ userId }) => userId === user?.id)
  const draft = own(await db.select().from(drafts)).find(
    ({ state, cardMessageId }) => state === 'open' && cardMessageId,
  )
  const quote = own(await db.select().from(quotes)).find(({ draftId }) => draftId === draft?.id)
  return {
    draft: draft?.id ?? nobodys,
    quote: quote?.id ?? nobodys,
    generation: own(await db.select().from(generations))[0]?.id ?? nobodys,
    turn: own(await db.select().from(turns))[0]?.id ?? nobodys,
    owner: (user?.id ?? 0n).toString(36),
  }
}

/** Anna's messages as the group shows them, and what the tables know of everybody's orders. */
async function standing() {
  const { db } = sandbox.app
  const own = [...targets.values()].map(({ message_id }) => message_id)
  const shown = (await anna.chat()).filter(({ message_id }) => own.includes(message_id))
  const rows = [drafts, generations, conversations].map((table) => db.select().from(table))
  const [draftRows, generationRows, threadRows] = await Promise.all(rows)
  return { shown, draftRows, generationRows, threadRows }
}

/** Taps all of it, and waits until the last of it is handled: updates of a chat are handled in their order. */
async function tapsAll(by: SandboxUser, target: TargetName, data: readonly string[]): Promise<void> {
  const { message_id = 0 } = targets.get(target) ?? {}
  for (const one of data) await by.tapsData(message_id, one)
  const { message_id: last } = await by.sends('/settings')
  await by.sees(({ message_id: id, text }) => id > last && text === 'Язык / Language')
}

/** The same in portions that one person may tap at once. */
function portions(data: readonly string[]): (readonly string[])[] {
  const most = 26
  return data.length === 0 ? [] : [data.slice(0, most), ...portions(data.slice(most))]
}

it('every handler of taps is tried', () => {
  const data = dataWith(ids)
  const takes = (trigger: unknown, one: string) =>
    trigger instanceof RegExp ? trigger.test(one) : trigger === one
  expect(triggers.length).toBeGreaterThan(30)
  expect(Object.values(ids)).not.toContain(nobodys)
  expect([...targets.keys()]).toEqual(targetNames)
  expect(triggers.filter((trigger) => !data.some((one) => takes(trigger, one)))).toEqual([])
})

describe.each(['a result', 'an answer', 'a card', 'a list of orders'] as const)(
  'on %s of another',
  (target) => {
    it('no tap changes anything', async () => {
      const before = await standing()
      for (const data of portions(dataWith(ids))) await tapsAll(nextStranger(), target, data)
      expect(await standing()).toEqual(before)
    })
  },
)

describe('with data of one’s own', () => {
  it.each(targetNames)('no tap changes %s of another', async (target) => {
    const boris = nextStranger()
    await boris.sends(`/video a dog for ${target}`)
    await boris.sees(`Prompt: a dog for ${target}`)
    const own = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, target, changingDataWith(own))
    expect(await standing()).toEqual(before)
  })

  it('a receipt does not open in the place of another’s message', async () => {
    const boris = nextStranger()
    await boris.sends('/image an owl')
    await boris.sees(/Prompt: an owl/)
    await boris.taps('Generate · 5,28 ₽')
    await boris.sees((message) => /an owl/.test(message.caption ?? ''))
    const { generation } = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, 'a card', [`hg:${generation}:0`])
    expect((await standing()).shown).toEqual(before.shown)
  })
})
