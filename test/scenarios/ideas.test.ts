// /ideas, results that operators made ideas, and the link below a shared result.

import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { generations, users } from '../../src/db/schema.ts'
import { findByTelegram } from '../../src/users/user.ts'
import { openDesk } from '../support/users/desk.ts'
import { ordered } from '../support/users/pictures.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const { sandbox, boss, desk } = await openDesk()
afterAll(() => desk.close())
const { db } = sandbox.app

const hasPhoto = ({ photo }: SandboxMessage) => photo !== undefined
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

/** A person whom the bot does not know yet. */
const arrives = (first_name: string) => createUser(sandbox.url, { first_name, language_code: 'en' })

const referrerOf = async ({ id }: SandboxUser) =>
  (await db.select().from(users).where(eq(users.telegramId, id)))[0]?.referrerId

async function makesPicture(user: SandboxUser, prompt: string): Promise<string> {
  await user.opens(`/image ${prompt}`, /^Generate/)
  await user.sees(hasPhoto)
  const { id = 0n } = (await findByTelegram(db, user.id)) ?? {}
  const [made] = await db.select().from(generations).where(eq(generations.userId, id))
  return made?.id ?? ''
}

it('an idea opens its card, and the kinds have pages', async () => {
  const anna = await sandbox.user('Anna')
  await anna.asks('/ideas', /^💡 Ideas · 🖼 Picture/)
  const { text = '' } = await anna.tapsFor(['🎬 Video', '🏄 Surfing cat'], isCard)
  expect(text).toContain('A ginger cat surfs a wave at sunset')
  const boris = await sandbox.user('Boris', 'ru')
  await boris.opens('/ideas', '🦊 Лиса в тумане')
  await boris.sees(/Рыжая лиса в утреннем осеннем лесу/)
})

it('the link of a shared result opens its prompt and settings, and invites; without sharing it opens nothing', async () => {
  const clara = await sandbox.user('Clara')
  const id = await makesPicture(clara, 'an owl in a library')
  const dora = await arrives('Dora')
  await dora.asks(`/start p_${id}`, /Dora!/)
  expect((await dora.chat()).filter(isCard)).toEqual([])
  const copy = await clara.tapsFor(
    ['⋯ More', '📤 Share'],
    ({ caption }) => caption?.includes('make one like this') === true,
  )
  expect(copy.caption_entities).toContainEqual(
    expect.objectContaining({ type: 'text_link', url: expect.stringMatching(`\\?start=p_${id}$`) }),
  )
  const emil = await arrives('Emil')
  await emil.asks(`/start p_${id}`, /Here is a card just like it/)
  await emil.sees((message) => isCard(message) && message.text?.includes('an owl in a library') === true)
  await emil.tapsFor(/^Generate/, hasPhoto)
  const [first, second] = (await ordered(sandbox)).slice(-2)
  expect(second).toEqual(first)
  const referrers = await Promise.all([emil, dora].map(referrerOf))
  expect(referrers).toEqual([(await findByTelegram(db, clara.id))?.id, null])
})

it('an operator makes an own result an idea for everybody, and takes it back', async () => {
  const id = await makesPicture(boss, 'a lighthouse in a storm')
  await boss.tapsAll('⋯ More', '💡 Add to ideas')
  const fred = await sandbox.user('Fred')
  await fred.opens('/ideas', '👀 a lighthouse in a storm')
  await fred.sees((message) => hasPhoto(message) && labelsOf(message).includes('✨ Make one like this'))
  await fred.tapsFor(
    '✨ Make one like this',
    (message) => isCard(message) && message.text?.includes('a lighthouse in a storm') === true,
  )
  await boss.tapsAll('‹ Back', '⋯ More', '💡 Remove from ideas')
  await boss.isTold('Removed from /ideas')
  await fred.asks('/ideas', (message) => labelsOf(message).includes('🦊 Fox in the mist'))
  const [made] = await db.select().from(generations).where(eq(generations.id, id))
  expect(made?.ideaAt).toBeNull()
})
