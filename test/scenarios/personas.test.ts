// Personas of conversations: choosing a ready-made one, writing an own one, and who may change them.

import { expect, it } from 'vitest'
import { lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const has = (label: string) => (message: SandboxMessage) => labelsOf(message).includes(label)

const isGone = (user: SandboxUser, text: string) =>
  expect.poll(async () => (await user.transcript()).includes(text)).toBe(false)

it('a ready-made persona is marked, sent with each question, kept by /new, and named in the settings until it is removed', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/persona')
  const list = await anna.sees(/Who answers in this conversation/)
  expect(labelsOf(list)).toEqual([
    '🌍 Translator',
    '📝 Editor',
    '🎓 Teacher',
    '💻 Programmer',
    '🍳 Cook',
    '🤗 Friend',
    '✏️ My own persona',
    '⚙️ Conversation settings',
  ])
  await anna.taps('🍳 Cook')
  await anna.sees(has('● 🍳 Cook'))
  await anna.sends('/new')
  await anna.sees(/A new conversation/)
  await anna.sends('What about soup?')
  await anna.sees(/What about soup/)
  expect(await lastAsked(sandbox)).toContain('You are a home cook.')
  await anna.sends('/model')
  await anna.sees(/Persona: 🍳 Cook/)
  await anna.taps('🎭 Persona')
  await anna.taps('✖ Remove the persona')
  await anna.sees((message) => has('🍳 Cook')(message) && !has('✖ Remove the persona')(message))
  await anna.taps('⚙️ Conversation settings')
  await anna.sees(/Persona: none$/m)
  await anna.sends('And salad?')
  await anna.sees(/And salad/)
  expect(await lastAsked(sandbox)).not.toContain('You are a home cook.')
})

it('the question for an own persona repeats until the text fits; the text is not asked as a question but sent with each question', async () => {
  const carla = await sandbox.user('Carla')
  await carla.sends('/persona')
  await carla.taps('✏️ My own persona')
  await carla.sees(/Who should the model be\?/)
  await carla.sends('x'.repeat(2001))
  await carla.sees(/2,001 characters/)
  await carla.sends('You are a <lighthouse> keeper')
  const list = await carla.sees(/You are a <lighthouse> keeper/)
  expect(labelsOf(list)).toEqual(expect.arrayContaining(['● ✏️ My own persona', '✖ Remove the persona']))
  expect(await lastAsked(sandbox)).not.toContain('lighthouse')
  await carla.sends('Who are you?')
  await carla.sees(/Who are you/)
  expect(await lastAsked(sandbox)).toContain('You are a <lighthouse> keeper')
})

it('the question for an own persona is closed by the choice of a ready-made one', async () => {
  const fay = await sandbox.user('Fay')
  await fay.sends('/persona')
  await fay.taps('✏️ My own persona')
  await fay.sees(/Who should the model be\?/)
  await fay.taps('🍳 Cook')
  await fay.sees(has('● 🍳 Cook'))
  await isGone(fay, 'Who should the model be?')
  await fay.sends('Why is the sky blue?')
  await fay.sees(/About “Why is the sky blue/)
  expect(await lastAsked(sandbox)).toContain('You are a home cook.')
})
