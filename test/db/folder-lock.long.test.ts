import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { FolderInUse, lockFolder } from '../../src/db/folder-lock.ts'
import { prepareEmbedded } from '../support/database/embedded.ts'
import { type Child, start } from '../support/runtime/child.ts'

let folder: string
let opened: Child[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bot-lock-'))
})
afterEach(async () => {
  for (const child of opened) child.kill('SIGKILL')
  await Promise.all(opened.map((child) => child.ended))
  opened = []
  await rm(folder, { recursive: true, force: true })
})

const inUse = (path: string) =>
  expect.objectContaining({
    name: 'FolderInUse',
    folder: path,
    message: expect.stringMatching(/using .*; stop it/),
  })

/** Starts another process that opens `pglite:<folder>`, or takes only the lock of `<folder>`. */
async function elsewhere(what: string): Promise<Child> {
  const child = start('test/support/database/hold-database.ts', {}, [what])
  opened.push(child)
  await child.firstLine()
  return child
}

/** A path above the limit of Unix sockets (108 bytes), which other implementations of such locks use. */
const far = () => join(folder, 'a'.repeat(80), 'b'.repeat(80))

describe('a folder of the embedded database', () => {
  beforeEach(() => prepareEmbedded(folder))

  it('cannot be opened twice, also by another process, whose error says why, and again after it was closed', async () => {
    const { close } = await openDatabase(`pglite:${folder}`)
    await expect(openDatabase(`pglite:${folder}`)).rejects.toThrow(FolderInUse)
    const refused = start('test/support/database/hold-database.ts', {}, [`pglite:${folder}`])
    opened.push(refused)
    expect(await refused.ended).toBe(1)
    expect(refused.complaints()).toContain(`FolderInUse: another process is using ${folder}`)
    await close()
    const next = await openDatabase(`pglite:${folder}`)
    await next.close()
  })

  it('can be opened again, with its data, after its process was killed', async () => {
    const before = await openDatabase(`pglite:${folder}`)
    await before.db.execute(sql`create table kept (id int)`)
    await before.close()
    const killed = await elsewhere(`pglite:${folder}`)
    await expect(openDatabase(`pglite:${folder}`)).rejects.toEqual(inUse(folder))
    killed.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    const after = await openDatabase(`pglite:${folder}`)
    await after.db.execute(sql`insert into kept values (1)`)
    await after.close()
  })

  it('is unlocked when opening it failed', async () => {
    const { close } = await openDatabase(`pglite:${folder}`)
    await close()
    await rm(join(folder, 'pglite/global'), { recursive: true })
    await expect(openDatabase(`pglite:${folder}`)).rejects.not.toThrow(FolderInUse)
    await expect(openDatabase(`pglite:${folder}`)).rejects.not.toThrow(FolderInUse)
  })
})

it('the lock of any path is taken by exactly one of several processes that start together after another was killed', async () => {
  const killed = await elsewhere(far())
  await expect(lockFolder(far())).rejects.toEqual(inUse(far()))
  killed.kill('SIGKILL')
  await killed.ended
  const rivals = Array.from({ length: 4 }, () => start('test/support/database/hold-database.ts', {}, [far()]))
  opened.push(...rivals)
  const said = await Promise.all(rivals.map((rival) => rival.firstLine().catch((error) => String(error))))
  expect(said.filter((line) => line === 'open')).toHaveLength(1)
  expect(said.filter((line) => line.includes('FolderInUse'))).toHaveLength(3)
})
