// Replies to a card in a group while it shows the page of a setting: the owner's reply is a value, and no reply is a paid question.

import { beforeEach, expect, it } from 'vitest'
import { newGroup } from '../../support/users/group.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { turnsIn } from '../../support/users/order.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
let boris: SandboxUser
beforeEach(async () => {
  ;({ anna, boris } = await newGroup(sandbox))
})

const answer = /the short answer/
/** Opens a card at the page of its duration. @returns the place of a reply to it */
async function opensDuration() {
  await anna.opens('/video a cat', '⚙️ More', /^Duration/)
  return { reply_to: (await anna.seesButton('‹ Back')).message_id }
}

it('a value of the owner is taken once, also when its update is handled again; other words cost nothing', async () => {
  const page = await opensDuration()
  await anna.asks('ten or so', /no such option on this card/, page)
  await anna.asks('10', /Duration: 10 s/, page)
  await handleLastAgain(sandbox, anna.id)
  await anna.asks('/help', /\/video/)
  expect(await turnsIn(sandbox, anna)).toEqual([])
})

it('a reply by another member changes and costs nothing', async () => {
  await boris.asks('10', /somebody else’s card/, await opensDuration())
  await anna.taps('‹ Back')
  await anna.seesButton('Duration: 5 s')
  expect(await turnsIn(sandbox, anna)).toEqual([])
})

it('a reply that mentions the bot is a question to the text model', async () => {
  await anna.asks('@sandbox_generation_bot how long is best?', answer, await opensDuration())
})

it('a reply to the own card without an open page is offered with a price, and other replies are questions', async () => {
  await anna.sends('/video a cat')
  const card = await anna.seesButton(/^Generate/)
  const { message_id } = await anna.asks('what is a frame rate?', /card is still open/, {
    reply_to: card.message_id,
  })
  await anna.asks('what is a frame rate?', answer, { reply_to: message_id })
})
