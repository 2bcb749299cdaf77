// Personas of conversations: choosing a ready-made one, writing an own one, and who may change them.

import { describe, expect, it } from 'vitest'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

interface Request {
  readonly path: string
  readonly body?: unknown
}
async function asked(): Promise<string[]> {
  const { requests } = await sandbox.get<{ requests: readonly Request[] }>('/api/gateway/account')
  return requests
    .filter(({ path }) => /completions|messages|responses|generateContent/.test(path))
    .map((one) => JSON.stringify(one))
}
const lastAsked = async () => (await asked()).at(-1)

const has = (label: string) => (message: SandboxMessage) => labelsOf(message).includes(label)

const isGone = (user: SandboxUser, text: string) =>
  expect.poll(async () => (await user.transcript()).includes(text)).toBe(false)

it('a ready-made persona is marked, sent with each question, kept by /new, and named in the settings until it is removed', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/persona')
  const list = await anna.sees(/who answers in this conversation/)
  expect(labelsOf(list)).toEqual([
    '🌍 Translator',
    '📝 Editor',
    '🎓 Teacher',
    '💻 Programmer',
    '🍳 Cook',
    '🤗 Friend',
    '✏️ My own…',
    '⚙️ Conversation settings',
  ])
  await anna.taps('🍳 Cook')
  await anna.sees(has('● 🍳 Cook'))
  await anna.sends('/new')
  await anna.sees(/A new conversation/)
  await anna.sends('What about soup?')
  await anna.sees(/What about soup/)
  expect(await lastAsked()).toContain('You are a home cook.')
  await anna.sends('/model')
  await anna.sees(/Persona: 🍳 Cook/)
  await anna.taps('🎭 Persona')
  await anna.taps('✖ Remove the persona')
  await anna.sees((message) => has('🍳 Cook')(message) && !has('✖ Remove the persona')(message))
  await anna.taps('⚙️ Conversation settings')
  await anna.sees(/Persona: none, as usual/)
  await anna.sends('And salad?')
  await anna.sees(/And salad/)
  expect(await lastAsked()).not.toContain('You are a home cook.')
})

it('a ready-made persona is recognised after the user has changed the language', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/persona')
  await boris.taps('🎓 Teacher')
  await boris.sees(has('● 🎓 Teacher'))
  await boris.sends('/settings')
  await boris.taps(/Русский/)
  await boris.sends('/persona')
  await boris.sees(has('● 🎓 Учитель'))
})

it('the question for an own persona repeats until the text fits; the text is not asked as a question but sent with each question', async () => {
  const carla = await sandbox.user('Carla')
  const before = (await asked()).length
  await carla.sends('/persona')
  await carla.taps('✏️ My own…')
  await carla.sees(/Who should the model be\?/)
  await carla.sends('x'.repeat(2001))
  await carla.sees(/2,001 characters/)
  await carla.sends('You are a <lighthouse> keeper')
  const list = await carla.sees(/You are a <lighthouse> keeper/)
  expect(labelsOf(list)).toEqual(expect.arrayContaining(['● ✏️ My own…', '✖ Remove the persona']))
  expect((await asked()).length).toBe(before)
  await carla.sends('Who are you?')
  await carla.sees(/Who are you/)
  expect(await lastAsked()).toContain('You are a <lighthouse> keeper')
})

it('the question for an own persona can be cancelled, which keeps the old persona', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/persona Speak like a sailor')
  await dora.sees(/Speak like a sailor/)
  await dora.taps(/My own…$/)
  await dora.taps('✖ Cancel')
  await dora.sends('What is a reef?')
  await dora.sees(/What is a reef/)
  expect(await lastAsked()).toContain('Speak like a sailor')
})

it('/persona with a text above the limit names the limit and takes a shorter text from the next message', async () => {
  const lea = await sandbox.user('Lea')
  const before = (await asked()).length
  await lea.sends(`/persona ${'y'.repeat(2001)}`)
  const question = await lea.sees(/2,001 characters, and a persona takes up to 2,000/)
  expect(labelsOf(question)).toEqual(['✖ Cancel'])
  await lea.sends('You are a pirate')
  await lea.sees(/The model is told:\nYou are a pirate/)
  expect((await asked()).length).toBe(before)
  await isGone(lea, 'Send a shorter text')
  expect(await lea.transcript()).not.toContain('Who should the model be?')
})

it('/persona with a text above the limit changes nothing', async () => {
  const emil = await sandbox.user('Emil')
  await emil.sends(`/persona ${'y'.repeat(2001)}`)
  await emil.sees(/2,001 characters, and a persona takes up to 2,000/)
  await emil.sends('/persona')
  const list = await emil.sees(/who answers in this conversation/)
  expect(labelsOf(list)).not.toContain('✖ Remove the persona')
})

/** Opens the question for an own persona. */
async function isAskedForOwn(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.sends('/persona')
  await user.taps('✏️ My own…')
  await user.sees(/Who should the model be\?/)
  return user
}

/** Checks that the question for an own persona is removed, and that the next text is asked with this persona. */
async function asksAs(user: SandboxUser, persona: string | undefined): Promise<void> {
  await isGone(user, 'Who should the model be?')
  await user.sends('Why is the sky blue?')
  await user.sees(/About “Why is the sky blue/)
  if (persona === undefined) expect(await user.transcript()).not.toContain('The model is told')
  else expect(await lastAsked()).toContain(persona)
}

describe('the question for an own persona is closed', () => {
  it('by the choice of a ready-made persona', async () => {
    const fay = await isAskedForOwn('Fay')
    await fay.taps('🍳 Cook')
    await fay.sees(has('● 🍳 Cook'))
    await asksAs(fay, 'You are a home cook.')
  })

  it('by a persona after the command', async () => {
    const gus = await isAskedForOwn('Gus')
    await gus.sends('/persona You are a pirate')
    await gus.sees(/You are a pirate/)
    await asksAs(gus, 'You are a pirate')
  })

  it('by the removal of the persona', async () => {
    const hal = await sandbox.user('Hal')
    await hal.sends('/persona You are a pirate')
    await hal.taps(/My own…$/)
    await hal.sees(/Who should the model be\?/)
    await hal.taps('✖ Remove the persona')
    await hal.sees((message) => has('🍳 Cook')(message) && !has('✖ Remove the persona')(message))
    await asksAs(hal, undefined)
  })

  it('by the button “Conversation settings”', async () => {
    const ida = await isAskedForOwn('Ida')
    await ida.taps('⚙️ Conversation settings')
    await ida.sees(/Persona: none, as usual/)
    await asksAs(ida, undefined)
  })
})

it('in a group only the user who began the conversation or an administrator can change its persona', async () => {
  const users = [await sandbox.user('Ines'), await sandbox.user('Jon'), await sandbox.user('Kay')] as const
  const group = { title: 'Surfers', members: users.map(({ id }) => id) }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const [admin, owner, other] = [users[0].in(id), users[1].in(id), users[2].in(id)]
  await owner.sends('/chat What is a reef?')
  await owner.sees(/What is a reef/)
  await other.sends('/persona')
  await other.sees(/who answers in this conversation/)
  for (const label of ['🍳 Cook', '✏️ My own…']) {
    await other.taps(label)
    await other.isTold(/only the person who began the conversation/)
  }
  await other.sends('/persona Obey Kay')
  await other.sees(/^In a group, only the person/)
  await admin.taps('🤗 Friend')
  await admin.sees(has('● 🤗 Friend'))
  await owner.sends('/persona')
  await owner.taps('✏️ My own…')
  const { message_id } = await owner.sees(/Who should the model be\?/)
  await owner.sends('Speak like a sailor', { reply_to: message_id })
  await owner.sees(/Speak like a sailor/)
  await owner.sends('/chat And a tide?')
  await owner.sees(/And a tide/)
  expect(await lastAsked()).toContain('Speak like a sailor')
  expect(await lastAsked()).not.toContain('Obey Kay')
})
