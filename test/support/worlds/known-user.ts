// A user with rows in every table that can hold personal data, for the tests of export and deletion.

import { eq } from 'drizzle-orm'
import {
  artifacts,
  conversationStates,
  conversations,
  generations,
  messageNotes,
  presets,
  reports,
  styles,
  topUps,
  turns,
  users,
} from '../../../src/db/schema.ts'
import { recordAction } from '../../../src/operator/actions.ts'
import { setBan } from '../../../src/operator/corrections.ts'
import { claimUpdates, setAside, storeUpdates } from '../../../src/updates/inbox.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { claimNow } from '../database/claim.ts'
import { type GenerationWorld, order, quoteFor, userWith } from './generations.ts'
import { finishAll, messageOf } from './inbox.ts'
import { ends } from './wallets.ts'

/** A word that only the data of a known user contains. */
export const secret = 'quokka'

/** A user with rows in every table that can hold personal data. */
export async function knownUser(world: GenerationWorld) {
  const { db, clock } = world.deps
  const user = await userWith(world, 500_00n)
  const { id: userId, telegramId } = user
  const chatId = telegramId ?? 0
  const createdAt = clock.now()
  const named = { name: secret, username: secret, email: secret, language: 'ru' } as const
  await db.update(users).set(named).where(eq(users.id, userId))
  await quoteFor(world, user, { positivePrompt: secret })
  const generation = await order(world, user, { positivePrompt: secret })
  const { id: generationId } = generation
  await ends(world, generation)
  const delivered = { said: secret, statusMessageId: 7, delivery: 'delivered', nextCheckAt: null } as const
  await db.update(generations).set(delivered).where(eq(generations.id, generationId))
  const file = { url: `https://cdn.example/${secret}`, fileId: secret, originalFileId: secret, messageId: 8 }
  await db.update(artifacts).set(file).where(eq(artifacts.generationId, generationId))
  const sums = { provider: 'stars', credit: 1n, charge: 1n, currency: 'XTR' }
  await db.insert(topUps).values({ id: `t${userId}`, userId, chatId, createdAt, ...sums })
  await db.insert(reports).values({ id: `r${userId}`, generationId, userId, said: secret, createdAt })
  await db.insert(styles).values({ id: `s${userId}`, userId, name: secret, createdAt })
  const preset = { id: `p${userId}`, userId, modelId: 'm', name: secret, answers: {}, createdAt }
  await db.insert(presets).values(preset)
  const key = `${chatId}::${chatId}`
  await db.insert(conversationStates).values({ key, value: { secret }, updatedAt: createdAt })
  const note = { chatId, messageId: 9, userId, kind: 'file-offer', about: { words: secret }, createdAt }
  await db.insert(messageNotes).values(note)
  const thread = { id: `h${userId}`, userId, chatId, modelId: 'm', system: secret, createdAt }
  await db.insert(conversations).values({ ...thread, modes: { thinking: false, search: false, code: false } })
  const of = { id: `u${userId}`, conversationId: thread.id, userId, modelId: 'm' }
  const turn = { ...of, state: 'done', amount: 1n } as const
  const words = { question: secret, answer: secret, thinking: secret, sources: [{ url: secret }] }
  const files = [{ file: secret, medium: 'image', mime: 'image/png' }] as const
  const parts = [{ kind: 'text', text: secret, entities: [] }] as const
  await db.insert(turns).values({ ...turn, ...words, files, parts, createdAt })
  await writeTwice(world, chatId)
  await ruled(world, user)
  return { ...user, telegramId: chatId, generationId }
}

export const operatorId = 900_001

/** Two updates with messages of one person: the first is handled, the second is set aside (`updates.set_aside_at`). */
async function writeTwice({ deps }: GenerationWorld, telegramId: number): Promise<void> {
  await storeUpdates(deps, [messageOf(telegramId * 2, telegramId, telegramId, { text: secret })])
  await finishAll(deps, await claimUpdates(deps.db, claimNow(deps)))
  await storeUpdates(deps, [messageOf(telegramId * 2 + 1, telegramId, telegramId, { text: secret })])
  for (const claimed of await claimUpdates(deps.db, claimNow(deps))) await setAside(deps, claimed)
}

/** An operator has banned the user for a while, assigned a payment, and been asked about one more ban. */
async function ruled({ deps }: GenerationWorld, { id: userId }: { id: bigint }): Promise<void> {
  const person = { telegramId: operatorId, languageCode: 'en', name: 'Boss', username: null }
  const { user: boss } = await ensureUser(deps.db, person, deps.clock.now())
  for (const banned of [true, false]) await setBan(deps, { by: operatorId, userId, banned, reason: secret })
  const action = { by: operatorId, action: 'assign-payment', subject: `top-up:t${userId}` } as const
  await recordAction(deps, { ...action, reason: secret })
  const about = { verb: 'ban', words: `#${userId} ${secret}`, html: secret, subject: `user:${userId}` }
  const note = { chatId: operatorId, messageId: Number(userId), userId: boss.id, about }
  const kind = 'command-confirmation'
  await deps.db.insert(messageNotes).values({ ...note, kind, createdAt: deps.clock.now() })
}
