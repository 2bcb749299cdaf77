// Judges saved settings by the harness's model.

import { z } from 'zod'
import { faultsOfPresets } from '../model/presets.ts'
import type { Check } from './check.ts'

const row = z.object({
  person: z.coerce.number(),
  name: z.string(),
  count: z.coerce
    .number()
    .nullable()
    .transform((count) => count ?? undefined),
})

export const everyPresetIsKept: Check = {
  name: 'saved settings stay until they are deleted, and only their owner uses them',
  async find({ presetBook, database, chats, journal }) {
    const found = await database.sql`
      select u.telegram_id::text as person, p.name, (p.answers ->> 'n')::integer as count
      from presets p join users u on u.id = p.user_id`
    journal.count('presets', found.length)
    journal.count(
      'presets put onto a card',
      presetBook.uses.filter(({ shown }) => shown !== undefined).length,
    )
    const faults = faultsOfPresets({
      ...presetBook,
      kept: found.map((one) => row.parse(one)),
      answerTo: (person, tap) => chats.of(person).answers.get(tap),
    })
    return faults.map(({ person, fact }) => ({ about: String(person), fact }))
  },
}
