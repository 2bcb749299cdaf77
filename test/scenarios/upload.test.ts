// Finished videos are uploaded to the operator's storage, each order to a different address.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSandbox } from '../support/users/sandbox.ts'

it("the operator's storage gets the video of each order at an address of its own", async () => {
  const uploads: { path: string | undefined; bytes: number }[] = []
  const storage = createServer(async (request, response) => {
    const chunks = await request.toArray()
    uploads.push({ path: request.url, bytes: Buffer.concat(chunks).length })
    response.end()
  })
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
  const { port } = storage.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'bot-catalog-'))
  const path = join(folder, 'catalog.json')
  const presign = `console.log('${base}/presigned/' + process.argv[1])`
  await writeFile(
    path,
    JSON.stringify({
      'MODEL-VIDEO-REEL': { request: { uploadEndpoint: `${base}/template/{generation}.mp4` } },
      'MODEL-VIDEO-WAN': { uploadCommand: [process.execPath, '-e', presign, '{generation}'] },
    }),
  )
  const sandbox = await openSandbox('postgres', { CATALOG_FILE: path, WELCOME_CREDIT: '1000' })
  try {
    const anna = await sandbox.user('Anna')
    await anna.opens('/video a cat', 'Generate · ₽92.45')
    await anna.sees((message) => message.video !== undefined)
    await anna.opens('/video a dog', '🎛 Model', /^Wan/, 'Generate · ₽99.05')
    await expect.poll(() => uploads.length, { timeout: 60_000 }).toBe(2)
    expect(uploads.map((one) => one.path)).toEqual([
      expect.stringMatching(/^\/template\/[a-z0-9]{10}\.mp4$/),
      expect.stringMatching(/^\/presigned\/[a-z0-9]{10}$/),
    ])
    expect(uploads.every(({ bytes }) => bytes > 1000)).toBe(true)
  } finally {
    await sandbox.stop()
    storage.close()
    await rm(folder, { recursive: true })
  }
})
