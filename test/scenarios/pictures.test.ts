// A picture that is sent without a text: the offer of its uses, and a question about it at the shown price.

import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { colored } from '../support/media/media-files.ts'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const ask = /^💬 Ask about it · ≈ ₽\d\.\d\d$/
const answersTo = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ question: turns.question, files: turns.files })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))

it('a picture without a caption costs nothing: the offer shows its uses, and says what the bot does not do', async () => {
  const anna = await sandbox.newcomer('Anna')
  await anna.sendsFile(await jpeg())
  const offer = await anna.sees('What should I do with this picture?')
  expect(offer.text).toContain('I can’t edit it yet')
  const labels = labelsOf(offer)
  expect(labels[0]).toMatch(ask)
  expect(labels).toEqual(
    expect.arrayContaining(['🎬 Animate the photo · from ₽55.47', '🧊 A texture for 3D']),
  )
  expect(await answersTo(anna)).toEqual([])
})

it('a question about a picture is sent once with the picture, however often the button is tapped', async () => {
  const boris = await sandbox.newcomer('Boris')
  await boris.sendsFile(await jpeg())
  const offer = await boris.seesButton(ask)
  await Promise.all([1, 2].map(() => boris.tapsData(offer.message_id, 'ua').catch(() => undefined)))
  await boris.sees('What would you like to know about the picture?')
  await boris.sends('What is on it?')
  await boris.seesButton(/^₽0\.\d\d$/)
  await boris.tapsData(offer.message_id, 'ua').catch(() => undefined)
  expect(await answersTo(boris)).toMatchObject([{ question: 'What is on it?', files: [{ medium: 'image' }] }])
  const [body] = (await ordered(sandbox, /completions$|messages$/)).slice(-1)
  expect(JSON.stringify(body)).toMatch(/image/)
})

it("when the conversation's model sees no pictures, one tap has another model answer", async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/model')
  await clara.taps(/Model: /)
  await clara.taps(/^Grok · /)
  await clara.sendsFile(await jpeg())
  await clara.sees(/Grok can’t see pictures\. The models below can/)
  await clara.taps(/^💬 GPT · ≈ ₽\d\.\d\d$/)
  await clara.sees('What would you like to know about the picture?')
  await clara.sends('What is on it? [short]')
  await clara.sees(/looked at what you attached/)
  await clara.sends('/model')
  await clara.sees(/^💬 GPT/)
})

it('a large picture or a TIFF that is sent as a file with a question reaches the model as a JPEG', async () => {
  const quinn = await sandbox.user('Quinn')
  const large = await colored(3000, 1000, [0, 0, 200]).png().toBuffer()
  const tiff = await colored(300, 100, [0, 0, 200]).tiff().toBuffer()
  for (const [name, bytes] of [
    ['sea.png', large],
    ['sea.tiff', tiff],
  ] as const) {
    const question = `What is on ${name}?`
    await quinn.sendsFile({ kind: 'document', name, bytes }, question)
    await quinn.sees(({ from, text = '' }) => from?.is_bot === true && text.includes(question))
    const [body] = (await ordered(sandbox, /completions$|messages$/)).slice(-1)
    expect(JSON.stringify(body)).toMatch(/data:image\/jpeg;base64,/)
  }
})
