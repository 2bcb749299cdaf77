// Commands as captions of pictures, documents, videos and voice messages, and edited captions.

import { beforeEach, describe, expect, it } from 'vitest'
import { newGroup } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { film, jpeg, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }

describe('/chat as a caption', () => {
  it('asks about the picture, also in a group with a capital and the name of the bot', async () => {
    await anna.sendsFile(await jpeg(), '/chat what is on it?')
    await anna.sees(/looked at what you attached/)
    const asked = [{ question: 'what is on it?', files: [{ medium: 'image' }] }]
    expect(await turnsIn(sandbox, anna)).toMatchObject(asked)
    const member = (await newGroup(sandbox)).anna
    await member.sendsFile(await jpeg(), '/Chat@sandbox_generation_bot what is on it?')
    await member.sees(/looked at what you attached/)
    expect(await turnsIn(sandbox, member)).toMatchObject(asked)
  })

  it('asks about the document', async () => {
    await anna.sendsFile(notes, '/chat how often? [short]')
    await anna.sees(/short answer/)
    const [turn] = await turnsIn(sandbox, anna)
    expect(turn?.question).toMatch(/^how often\? \[short\]\n\nnotes\.txt:\n```\nThe tide/)
  })

  it('does not ask about a video, a sound or a voice message, which its model does not see or hear', async () => {
    await anna.sendsFile(await film(), '/chat what is in it?')
    await anna.sees('Assistant can’t watch videos, so nothing was asked or charged')
    for (const kind of ['audio', 'voice']) {
      const { message_id: sent } = await anna.sendsFile({ ...(await song()), kind }, '/chat what is in it?')
      await anna.sees(
        ({ message_id, text = '' }) =>
          message_id > sent && text.startsWith('Assistant can’t listen to sounds'),
      )
    }
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })
})

it('other commands as a caption are answered like a text', async () => {
  const rows = [
    ['/balance', /^Balance: /],
    ['/new', /A new conversation/],
    ['/topup 500', /How would you like to pay ₽500\?/],
    ['/cancel', /Nothing to cancel|is closed/],
    ['/promo NONE', /There is no such promo code/],
    ['/vidoe', /Did you mean \/video/i],
  ] as const
  for (const [caption, answer] of rows) {
    await anna.sendsFile(await film(), caption)
    await anna.sees(answer)
  }
})

describe('an edited caption', () => {
  it('of the last question is asked again, with the picture', async () => {
    const question = await anna.sendsFile(await jpeg(), 'what is on it?')
    await anna.sees(/looked at what you attached/)
    await anna.edits(question, 'what colour is it?')
    await expect
      .poll(() => turnsIn(sandbox, anna))
      .toMatchObject([
        { question: 'what is on it?' },
        { question: 'what colour is it?', files: [{ medium: 'image' }] },
      ])
  })

  it('that begins with /chat is asked again', async () => {
    const question = await anna.sendsFile(notes, '/chat how often? [short]')
    await anna.sees(/short answer/)
    await anna.edits(question, '/chat how high? [short]')
    await expect
      .poll(() => turnsIn(sandbox, anna))
      .toMatchObject([{}, { question: expect.stringMatching(/^how high/) }])
  })

  it('that has an offer changes the offer', async () => {
    const newcomer = await sandbox.newcomer('Nora')
    const question = await newcomer.sendsFile(await jpeg(), 'what is on it?')
    await newcomer.seesButton(/^💬 Ask about it · ≈/)
    await newcomer.edits(question, 'what colour is it?')
    await newcomer.sends('/settings')
    await newcomer.sees('Язык / Language')
    await newcomer.taps(/^💬 Ask about it · ≈/)
    await newcomer.sees(/looked at what you attached/)
    expect(await turnsIn(sandbox, newcomer)).toMatchObject([{ question: 'what colour is it?' }])
  })
})
