// Statements stay prepared in their connections while another process changes the schema.

import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { artifacts } from '../../src/db/schema.ts'
import { freshDatabase } from '../support/database/database.ts'

it('statements are answered after a migration has changed the type of a column, however many wait', async () => {
  const { db, close } = await freshDatabase('postgres')
  const read = (id: string) => db.select().from(artifacts).where(eq(artifacts.generationId, id))
  const readMany = () => Promise.all(Array.from({ length: 100 }, (_, n) => read(`${n}`)))
  await readMany()
  await db.execute(sql`alter table artifacts alter column url type varchar(100000)`)
  expect(await readMany()).toEqual(Array.from({ length: 100 }, () => []))
  await close()
})
