// The lock of a folder with an embedded database, within one process. The long tests beside this file try it with other processes.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { FolderInUse, lockFolder } from '../../src/db/folder-lock.ts'

const folder = await mkdtemp(join(tmpdir(), 'bot-lock-'))
afterAll(() => rm(folder, { recursive: true }))

it('a folder is locked once, by whatever path', async () => {
  const unlock = await lockFolder(folder)
  const names = [folder, relative(process.cwd(), folder), `${folder}/`, `${folder}/../${basename(folder)}`]
  for (const name of names) await expect(lockFolder(name)).rejects.toThrow(FolderInUse)
  await expect(lockFolder(folder)).rejects.toMatchObject({
    folder,
    message: expect.stringMatching(/; stop it/),
  })
  await unlock()
})

it('a lock can be released twice without releasing that of another holder', async () => {
  const unlock = await lockFolder(folder)
  await unlock()
  const next = await lockFolder(folder)
  await unlock()
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
  await next()
})

it('a folder that cannot be created is reported with the reason', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(lockFolder(join(file, 'data'))).rejects.toThrow(/ENOTDIR/)
})
