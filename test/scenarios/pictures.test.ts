// A picture that is sent without a text: the offer of its uses, and a question about it at the shown price.

import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
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

it('a picture without a caption costs nothing: the offer shows its uses, and says that a 3D model takes it as a texture only', async () => {
  const anna = await sandbox.newcomer('Anna')
  await anna.sendsFile(await jpeg())
  const offer = await anna.sees('What shall I do with this picture?')
  expect(offer.text).toContain('takes it as a texture only')
  const labels = labelsOf(offer)
  expect(labels[0]).toMatch(ask)
  expect(labels).toEqual(expect.arrayContaining(['🎬 Animate the photo · ₽92.45', '🧊 A texture for 3D']))
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

it("the offer for a picture names the models with vision when the conversation's model has none", async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/model')
  await clara.taps(/Model: /)
  const list = await clara.seesButton(/^● /)
  const others = labelsOf(list).filter((label) => label.includes('₽') && !label.startsWith('●'))
  let told = ''
  for (const label of others) {
    await clara.taps(label)
    await clara.sendsFile(await jpeg())
    const offer = await clara.sees('What shall I do with this picture?')
    if (!labelsOf(offer).some((one) => ask.test(one))) told = offer.text ?? ''
    await clara.taps(/Model: /)
  }
  expect(told).toMatch(/cannot see pictures\. These models can: .+\/model/)
})

it.each([
  ['a large picture', 'sea.png', () => colored(3000, 1000, [0, 0, 200]).png(), /data:image\/jpeg;base64,/],
  ['a TIFF', 'sea.tiff', () => colored(300, 100, [0, 0, 200]).tiff(), /data:image\/jpeg;base64,/],
])('%s that is sent as a file with a question reaches the model as a JPEG', async (_, name, image, sent) => {
  const quinn = await sandbox.user('Quinn')
  await quinn.sendsFile({ kind: 'document', name, bytes: await image().toBuffer() }, 'What is on it?')
  await quinn.sees(/looked at what you attached/)
  const [body] = (await ordered(sandbox, /completions$|messages$/)).slice(-1)
  expect(JSON.stringify(body)).toMatch(sent)
})

describe.each([
  ['HEIC', 'IMG_1.HEIC', 'image/heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['SVG', 'logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
])('a picture as %s, which models do not see', (_, name, mime, content) => {
  const file = { kind: 'document', name, mime, bytes: Buffer.from(content, 'latin1') } as const

  it('is refused with what to do, and no question is made of it', async () => {
    const rita = await sandbox.user(`Rita with ${name}`)
    await rita.sendsFile(file, 'What is on it?')
    await rita.sees(/cannot see this picture, so nothing was asked or charged/)
    expect(await answersTo(rita)).toEqual([])
  })

  it('is refused without a caption, too, with the formats that fit', async () => {
    const sara = await sandbox.newcomer(`Sara with ${name}`)
    await sara.sendsFile(file)
    const refusal = await sara.sees(/Models cannot see this picture[\s\S]*JPEG, PNG/)
    expect(labelsOf(refusal)).toEqual([])
  })
})
