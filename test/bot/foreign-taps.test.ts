// A client can send any callback data about any message of the bot that it sees. No such tap may change messages or rows of other users.
// The tests try every declared tap: in a group on messages of others, and in a stranger's private chat.

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  conversations,
  drafts,
  generations,
  presets,
  quotes,
  reports,
  topUps,
  turns,
  users,
} from '../../src/db/schema.ts'
import { savePreset } from '../../src/orders/drafts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { taps } from '../../src/telegram/taps.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, type Wanted } from '../support/users/user.ts'

interface Ids {
  readonly draft: string
  readonly quote: string
  readonly generation: string
  readonly turn: string
  /** The user's id as the buttons of a list of orders contain it. */
  readonly owner: string
}

/** Callback data for every declared tap, and some data that no tap parses. */
const dataWith = ({ draft, quote, generation, turn, owner }: Ids): readonly string[] =>
  `c:${draft}:o:duration c:${draft}:v c:${draft}:n c:${draft}:m:MODEL-VIDEO-WAN c:${draft}:b c:${draft}:s:duration:7
  c:${draft}:p:own gw gw:1 gwc:1 gwc:1:10000 gws:1:off gwf:1:10000:0123456789 gwt:1 gwb:1:0123456789
  c:${draft}:x:seed c:${draft}:a:duration c:${draft}:y:style c:${draft}:h:voice:b c:${draft}:r c:${draft}:i:improve c:${draft}:j:take c:${draft}:e c:${draft}:e:1 c:${draft}:t:5000
  c:${draft}:p c:${draft}:l c:${draft}:u:0123456789 c:${draft}:w pl ps:0123456789 pu:0123456789 px:0123456789 c:${draft}:d c:${draft}:q c:${draft}:z
  g:${draft} g:${draft}:s:duration:7 g:${draft}:m:MODEL-VIDEO-WAN g:${draft}:x:seed g:${draft}:n:duration g:${draft}:c g:${draft}:d
  q:${quote} q:${quote}:528 w kt ks:shown ks:any k u:image u:video uw:image ul:frames up:0 ut us ua yd b:image bx:340 om:MODEL-VIDEO-WAN pw
  il:video iu:video:0 is:${generation} ik:${generation} it:${generation}:on
  ro:${generation}:528 rn:${generation} rq:${generation} ru:${generation} rx:${generation}:0 rm:${generation} rm:${generation}:0 rb:${generation}
  rt:${generation}:0:animate rs:${generation} rf:${generation}:on rp:${generation} rr:${generation}:quality rr:${generation}:words
  gc:${generation} r:${generation} e:${generation} o:${generation} rv:${generation} rx:${generation}
  h:0:${owner} hg:${generation}:0 hf:image:0:${owner} hl:image:0:${owner} ho:${generation}:all:0 hm:${generation}:hide:all:0 hm:${generation}:favourite:done:0 hs:${generation} ha:all:0 hr:${generation} hq:${generation}:quality hq:${generation}:words
  l:ru l:en lw:on lw:off ln:on ln:off lm:video:MODEL-VIDEO-WAN lm:video:- lf:image:16x9 nw:off nw:on cv:2026-11 d0 d1 d2:${Date.now() + 60_000} dx
  t t:10000 t:10000:stars te:10000:yookassa
  cs:${turn} cc:${turn} cr:${turn} ca:${turn}:5
  cn:long cn:length-short uh:TEXT-GPT ch:models ch:back ch:personas cp:cook ch:own ch:persona cm:gpt-5 ct:on:thinking ct:off:search cg cg:replace cg:add cd:summary cd:ask cd:speech
  ad:f:7 ad:log ad:find ad:u:1 ad:u:999999999999999999999 ad:q:grant:1 ad:m:1 ad:d:yes ad:d:no ad:o:1 ad:p:1 ad:r:0123456789 ad:y:0123456789
  ad:b:0123456789 ad:b:0123456789:start ad:switches ad:ba:0123456789:all ad:bl:0123456789:any ad:bq:0123456789:time nr:0123456789 ad:s:off:maintenance xn:TEXT-GPT xf:TEXT-GPT ad:reports pr:0123456789 pd:0123456789 pa:0123456789
  nonsense`.split(/\s+/)

/** The callback data that edits, deletes or orders, for rows of the user who taps. */
const changingDataWith = ({ draft, quote, owner }: Ids): readonly string[] =>
  `c:${draft}:b c:${draft}:d c:${draft}:o:duration c:${draft}:v c:${draft}:n c:${draft}:a:duration
  q:${quote} w k u:video h:0:${owner} hl:all:0:${owner} l:ru d0 ch:models ch:back`.split(/\s+/)

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

const sandbox = await sharedSandbox()
let anna: SandboxUser
let groupId: number
/** Messages for Anna in the group. */
const targets = new Map<TargetName, SandboxMessage>()
let ids: Ids
const strangers: SandboxUser[] = []

const isBots = ({ from }: SandboxMessage) => from?.is_bot === true
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

/** A member of the group who has not tapped yet, since the flood limit allows a few dozen taps each. */
function nextStranger(): SandboxUser {
  const one = strangers.pop()
  if (!one) throw new Error('more strangers are needed')
  return one.in(groupId)
}

beforeAll(async () => {
  const host = await sandbox.user('Host')
  const member = await sandbox.user('Anna')
  for (let at = 0; at < 32; at += 1) strangers.push(await sandbox.user(`Stranger ${at}`))
  const members = [host.id, member.id, ...strangers.map(({ id }) => id)]
  groupId = (await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members })).id
  anna = member.in(groupId)
  await setTargets()
  ids = await idsOf(anna)
})

/** Produces one message of each kind that a tap could change. */
async function setTargets(): Promise<void> {
  const keep = async (name: TargetName, wanted: Wanted) => {
    targets.set(name, await anna.sees(wanted))
  }
  await anna.opens('/image a fox', /^Generate/)
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
  await keep('settings of the chat', /million tokens/)
  await anna.sends('/video a cat')
  await keep('a card', isCard)
  await anna.sends('/video')
  await keep('a question', /Write the answer/)
}

const unusedId = '0123456789'

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
    draft: draft?.id ?? unusedId,
    quote: quote?.id ?? unusedId,
    generation: own(await db.select().from(generations))[0]?.id ?? unusedId,
    turn: own(await db.select().from(turns))[0]?.id ?? unusedId,
    owner: (user?.id ?? 0n).toString(36),
  }
}

/** Anna's messages as the group shows them, her drafts, and the orders and conversations of all users. */
async function standing() {
  const { db } = sandbox.app
  const own = [...targets.values()].map(({ message_id }) => message_id)
  const shown = (await anna.chat()).filter(({ message_id }) => own.includes(message_id))
  const rows = [drafts, generations, conversations].map((table) => db.select().from(table))
  const [draftRows = [], generationRows, threadRows] = await Promise.all(rows)
  const ownDrafts = draftRows.filter(({ userId }) => userId.toString(36) === ids.owner)
  return { shown, ownDrafts, generationRows, threadRows }
}

/** Taps all data and waits until the last tap is handled: the updates of a chat are handled in order. */
async function tapsAll(by: SandboxUser, target: TargetName, data: readonly string[]): Promise<void> {
  const { message_id = 0 } = targets.get(target) ?? {}
  for (const one of data) await by.tapsData(message_id, one)
  const { message_id: last } = await by.sends('/settings')
  await by.sees(({ message_id: id, text }) => id > last && text?.includes('Язык / Language') === true)
}

/** Splits the data into portions that the flood limit allows one user. */
function portions(data: readonly string[]): (readonly string[])[] {
  const most = 26
  return data.length === 0 ? [] : [data.slice(0, most), ...portions(data.slice(most))]
}

it('the data covers every declared tap', () => {
  const data = dataWith(ids)
  const untried = Object.values(taps).filter(({ parse }) => !data.some(parse))
  expect(Object.values(ids)).not.toContain(unusedId)
  expect([...targets.keys()]).toEqual(targetNames)
  expect(untried.map(({ format }) => format)).toEqual([])
})

it.each(['a result', 'a card'] as const)(
  'a tap on %s of another user changes nothing, whatever its data',
  async (target) => {
    const before = await standing()
    for (const data of portions(dataWith(ids))) await tapsAll(nextStranger(), target, data)
    expect(await standing()).toEqual(before)
  },
)

describe('in the private chat of a stranger,', () => {
  let presetId = ''
  let topUpId = ''
  beforeAll(async () => {
    const { db } = sandbox.app
    const deps = { db, clock: systemClock, ids: randomIds }
    const userId = BigInt(parseInt(ids.owner, 36))
    const answers = { prompt: 'a secret of Anna' }
    await savePreset(deps, { userId, modelId: 'MODEL-VIDEO-REEL', name: 'a preset of Anna', answers })
    presetId = (await db.select().from(presets).where(eq(presets.userId, userId)))[0]?.id ?? ''
    const alone = anna.in(anna.id)
    await alone.opens('/topup 500', /Stars/)
    await alone.sees(({ invoice }) => invoice !== undefined)
    topUpId = (await db.select().from(topUps).where(eq(topUps.userId, userId)))[0]?.id ?? ''
  })

  /** The rows that belong to Anna, with her presets and top-ups. */
  const more = async () => ({
    ...(await standing()),
    presets: await sandbox.app.db.select().from(presets),
    reports: await sandbox.app.db.select().from(reports),
    topUps: await sandbox.app.db.select().from(topUps).where(eq(topUps.id, topUpId)),
  })
  const secrets = /a fox|a cat|hello \[short\]|a secret of Anna|a preset of Anna/

  /** Taps on a stranger's own card. @returns everything that the stranger reads */
  async function tapsOnOwnCard(data: (ownDraft: string) => readonly string[]): Promise<string> {
    const boris = nextStranger()
    const alone = boris.in(boris.id)
    const { message_id: card } = await alone.asks('/image my own', /Prompt: my own/)
    await expect.poll(async () => (await idsOf(alone)).draft).not.toBe(unusedId)
    for (const one of data((await idsOf(alone)).draft)) await alone.tapsData(card, one)
    const { message_id: last } = await alone.sends('/language')
    await alone.sees(({ message_id: id, from }) => id > last && from?.is_bot === true)
    return `${await alone.transcript()}\n${JSON.stringify(await alone.answers())}`
  }

  it("no tap with the data of another user's rows changes or reveals anything", async () => {
    const before = await more()
    for (const data of portions(dataWith(ids))) expect(await tapsOnOwnCard(() => data)).not.toMatch(secrets)
    expect(await more()).toEqual(before)
  })

  it('no tap uses, shows or deletes the preset of another user', async () => {
    expect([presetId, topUpId]).toEqual([expect.stringMatching(/^\w{10}$/), expect.stringMatching(/^\w+$/)])
    const before = await more()
    const data = (draft: string) =>
      ['ps', 'pu', 'px'].map((tap) => `${tap}:${presetId}`).concat(`c:${draft}:u:${presetId}`, 'pl')
    expect(await tapsOnOwnCard(data)).not.toMatch(secrets)
    expect(await more()).toEqual(before)
  })

  it('no command reveals an invoice, an order or another user', async () => {
    const boris = nextStranger()
    const own = boris.in(boris.id)
    const before = await more()
    const commands = [
      `/start topup-${topUpId}`,
      `/refund ${ids.generation}`,
      '/grant #1 500 bonus',
      '/user 1',
    ]
    for (const command of commands) {
      expect((await own.asks(command, /./)).text).toMatch(/^👋 Hello|^👛|don’t know this command/)
    }
    expect(await own.transcript()).not.toMatch(secrets)
    expect(await more()).toEqual(before)
  })
})

describe("with the data of a user's own rows,", () => {
  it.each(targetNames)('no tap changes %s of another user', async (target) => {
    const boris = nextStranger()
    await boris.asks(`/video a dog for ${target}`, `Prompt: a dog for ${target}`)
    // The id of the card's message is stored after the message is shown.
    await expect.poll(async () => (await idsOf(boris)).draft).not.toBe(unusedId)
    const own = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, target, changingDataWith(own))
    expect(await standing()).toEqual(before)
  })

  it("a tap does not open the user's receipt in a message of another user", async () => {
    const boris = nextStranger()
    await boris.asks('/image an owl', /Prompt: an owl/)
    await boris.tapsFor('Generate · ₽5.28', (message) => /an owl/.test(message.caption ?? ''))
    const { generation } = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, 'a card', [`hg:${generation}:0`])
    expect((await standing()).shown).toEqual(before.shown)
  })
})
