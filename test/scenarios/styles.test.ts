// Custom styles: made from pictures in a conversation, selected on the card from which they were started, and used in orders.

import { describe, expect, it } from 'vitest'
import { jpeg, ordered, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const isResult = ({ from, photo }: SandboxMessage) => from?.is_bot === true && photo !== undefined

async function begin(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.opens('/image a fox', '⚙️ More', /(Own|My) style/, '➕ New style')
  await user.sees(/Name of the style/)
  return user
}

/** Answers the question for the name and sends one picture. */
async function withPicture(name: string, style = 'Watercolour'): Promise<SandboxUser> {
  const user = await begin(name)
  await user.asks(style, /Send one to 5 pictures/)
  await user.attaches(await jpeg(), '', /Got it: 1 of 5/)
  return user
}
const styles = () => ordered(sandbox, /\/v1\/styles$/)

it('a style is made from two pictures, selected at once, used in the order, and offered on later cards of its user only', async () => {
  const anna = await withPicture('Anna')
  await anna.attaches(await png(), '', /Got it: 2 of 5/)
  await anna.tapsFor(
    '✅ That’s all',
    /“Watercolour” is ready and selected[\s\S]*(Own|My) style: Watercolour[\s\S]*Price: ₽5.28/,
  )
  const cards = async () =>
    (await anna.chat()).filter((message) => labelsOf(message).some((label) => /^Generate/.test(label)))
  await expect.poll(async () => (await cards()).length).toBe(1)
  expect((await styles()).at(-1)).toMatchObject({
    name: 'Watercolour',
    images: [
      expect.stringMatching(/^data:image\/jpeg;base64,/),
      expect.stringMatching(/^data:image\/png;base64,/),
    ],
  })
  await anna.tapsFor('Generate · ₽5.28', isResult)
  const first = (await ordered(sandbox, /generations$/)).at(-1)
  expect(first).toMatchObject({ prompt: 'a fox', style_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })

  await anna.asks('/image a dog', /Prompt: a dog/)
  await anna.tapsAll('⚙️ More', /(Own|My) style/, 'Watercolour')
  await anna.seesButton(/(Own|My) style: Watercolour/)
  await anna.tapsFor(
    'Generate · ₽5.28',
    (message) => isResult(message) && message.caption?.includes('a dog') === true,
  )
  expect((await ordered(sandbox, /generations$/)).at(-1)).toMatchObject({
    prompt: 'a dog',
    style_id: first?.style_id,
  })

  const boris = await sandbox.user('Boris')
  await boris.opens('/image a fox', '⚙️ More', /(Own|My) style/)
  const page = await boris.sees((message) => labelsOf(message).includes('➕ New style'))
  expect(labelsOf(page)).not.toContain('Watercolour')
})

describe('the conversation about a new style', () => {
  it('accepts only pictures, and ends after the fifth', async () => {
    const dora = await withPicture('Dora')
    await dora.sendsFile(await song())
    await dora.sends('that is it')
    for (let more = 2; more <= 5; more += 1) await dora.sendsFile(await jpeg([more * 40, 0, 0]))
    await dora.sees(/“Watercolour” is ready and selected/)
    expect((await styles()).at(-1)?.images).toHaveLength(5)
  })
})

it('a style cannot be made of pictures that the gateway refuses: the user is told, and the card can still be ordered', async () => {
  const fred = await withPicture('Fred')
  await sandbox.breaks('gateway', 'styles', { kind: 'error', status: 400, description: 'too <dark>' })
  await fred.tapsFor(
    '✅ That’s all',
    /These pictures weren’t accepted\. Try others\.\nDetails:\n[\s\S]*too <dark>/,
  )
  await fred.tapsFor(['‹ Back', 'Generate · ₽5.28'], isResult)
  expect((await ordered(sandbox, /generations$/)).at(-1)).not.toHaveProperty('style_id')
})
