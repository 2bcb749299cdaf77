// Cases of the queues: claims of all queues, the watch for due work, and the clean-up that keeps the queues small.

import { claimAnswers, renewTurns } from '../../../src/chat/deliveries.ts'
import { askToStop } from '../../../src/chat/stops.ts'
import { abandonedTurns } from '../../../src/chat/turns.ts'
import { repairTimes } from '../../../src/db/repair-times.ts'
import { readArtifacts } from '../../../src/generations/artifacts.ts'
import { readGeneration } from '../../../src/generations/generation.ts'
import { noPlaces } from '../../../src/generations/place.ts'
import { aheadOf } from '../../../src/generations/waiting.ts'
import {
  claimBroadcast,
  countRecipients,
  createBroadcast,
  nextRecipients,
} from '../../../src/operator/broadcasts.ts'
import { checkDueLinks } from '../../../src/payments/links.ts'
import { claimNotices, deleteOldNotices } from '../../../src/payments/notices.ts'
import { resumeRefunds } from '../../../src/payments/refunds.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { deleteOldNotes } from '../../../src/telegram/message-notes.ts'
import { receiveCallback } from '../../../src/tracker/callbacks.ts'
import { createGenerationWatch } from '../../../src/tracker/generation-watch.ts'
import { claim, kinds } from '../../../src/tracker/queue.ts'
import { claimUpdates } from '../../../src/updates/claim.ts'
import { forgetOldUpdates } from '../../../src/updates/cleanup.ts'
import { finishUpdate, storeUpdates } from '../../../src/updates/inbox.ts'
import { takeLeaderLease } from '../../../src/updates/leader.ts'
import type { Case } from './cases.ts'

const message = (update_id: number, from: number) => ({
  update_id,
  message: {
    message_id: 1,
    date: 1,
    text: '/balance',
    chat: { id: from, type: 'private', first_name: 'P' },
    from: { id: from, is_bot: false, first_name: 'P' },
  } as const,
})

export const queueCases: readonly Case[] = [
  {
    name: 'updates: stored, ten at once',
    indexes: ['updates_person_lane'],
    run: ({ deps, heavyTelegramId }) =>
      storeUpdates(
        deps,
        Array.from({ length: 10 }, (_, at) => message(at + 1, heavyTelegramId + at)),
      ),
  },
  {
    name: 'updates: claimed and finished',
    indexes: ['updates_due', 'updates_chat_lane', 'updates_person_lane'],
    async run({ deps }) {
      for (const one of await claimUpdates(deps, { fresh: 64, suspect: 1 })) await finishUpdate(deps, one)
    },
  },
  ...kinds.map((kind) => ({
    name: `generations: claimed to ${kind}`,
    run: ({ deps }: Parameters<Case['run']>[0]) => claim(deps, kind, 32),
    indexes: [kind === 'deliver' ? 'generations_undelivered' : 'generations_next'],
  })),
  {
    name: 'generations: whether any is due',
    indexes: ['generations_due'],
    async run({ deps }) {
      const wait: Clock['wait'] = (_, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
      const watch = createGenerationWatch({ ...deps, clock: { ...deps.clock, wait } }, () => undefined)
      watch.start()
      await watch.stop()
    },
  },
  {
    name: 'generations: the waiting orders ahead of one',
    indexes: ['generations_next'],
    run: ({ deps, now }) => aheadOf(deps, { createdAt: now }),
  },
  {
    name: 'generations: a row and the files of a list',
    indexes: ['generations_pkey', 'artifacts_pkey'],
    async run({ deps, endedGenerationId }) {
      await readGeneration(deps.db, endedGenerationId)
      await readArtifacts(deps.db, [endedGenerationId, 'another'])
    },
  },
  {
    name: 'generations: a callback',
    indexes: ['generations_callback_token_key'],
    run: ({ deps, callbackToken }) => receiveCallback({ ...deps, places: noPlaces }, callbackToken, []),
  },
  {
    name: 'answers: claimed, abandoned ones found',
    indexes: ['turns_due', 'turns_unsent'],
    run: async ({ deps }) => [await claimAnswers(deps, 16), await abandonedTurns(deps, 16)],
  },
  {
    name: 'answers: stopped, leases renewed',
    indexes: ['threads_pkey', 'turns_due', 'turns_pkey'],
    async run({ deps, heavyUser: userId, heavyTelegramId: chatId, now }) {
      await askToStop(deps, { chatId, draftId: 1, updateId: 2_100_000_000 })
      await askToStop(deps, { turnId: 'turn', userId })
      await renewTurns(deps.db, [{ id: 'turn', lease: 'mine' }], now)
    },
  },
  { name: 'notices: claimed', indexes: ['notices_due'], run: ({ deps }) => claimNotices(deps, 16) },
  { name: 'top-ups: claimed', indexes: ['top_ups_due'], run: ({ deps }) => checkDueLinks(deps) },
  {
    name: 'broadcasts: claimed, the next recipients, all recipients',
    async run({ deps }) {
      await claimBroadcast(deps)
      await nextRecipients(deps.db, 100n, 100)
      await countRecipients(deps.db, await createBroadcast(deps, { chatId: 1, messageId: 1 }))
    },
  },
  { name: 'duties: taken', run: ({ deps }) => takeLeaderLease(deps, 'polling', 'me') },
  {
    name: 'every minute: times in the future repaired',
    indexes: ['generations_next', 'notices_due', 'top_ups_due', 'turns_due', 'turns_unsent', 'updates_due'],
    run: ({ deps }) => repairTimes(deps.db, deps.clock, deps.log),
  },
  {
    name: 'every hour: refunds resumed',
    indexes: ['payments_refunded', 'payments_top_up', 'transfers_rare'],
    run: ({ deps }) => resumeRefunds(deps),
  },
  {
    name: 'cleanup of updates, two batches',
    indexes: ['updates_finished'],
    async run({ deps }) {
      const stopping = new AbortController()
      let batches = 0
      const wait = async () => {
        batches += 1
        if (batches === 2) stopping.abort()
      }
      await forgetOldUpdates({ ...deps, clock: { ...deps.clock, wait } }, stopping.signal)
    },
  },
  { name: 'cleanup of notices', indexes: ['notices_done'], run: ({ deps }) => deleteOldNotices(deps) },
  { name: 'cleanup of notes', indexes: ['message_notes_created'], run: ({ deps }) => deleteOldNotes(deps) },
]
