// Upload addresses of orders: from a template, or from the operator's command.

import { expect, it } from 'vitest'
import { uploadTemplate } from '../../src/catalog/video-common.ts'
import { uploadAddress } from '../../src/orders/submit.ts'
import { type Log, silentLog } from '../../src/runtime/log.ts'

const order = (request: Record<string, unknown> = {}) => ({ id: 'abc123defg', request })
const node = (script: string) => [process.execPath, '-e', script, '{generation}']

it('a template gets the id of the order', async () => {
  const request = { uploadEndpoint: 'https://storage.example/{generation}.mp4?for={generation}' }
  expect(await uploadAddress(silentLog, order(request), undefined)).toEqual({
    uploadEndpoint: 'https://storage.example/abc123defg.mp4?for=abc123defg',
  })
  expect(await uploadAddress(silentLog, order(), undefined)).toEqual({})
})

it('a command prints the address of each order', async () => {
  const command = node("console.log('https://storage.example/' + process.argv[1] + '?signature=1\\nmore')")
  expect(await uploadAddress(silentLog, order(), command)).toEqual({
    uploadEndpoint: 'https://storage.example/abc123defg?signature=1',
  })
})

it('without a usable address from the command the order is made without the upload', async () => {
  const commands = [
    node('process.exit(1)'),
    node("console.log('file:///etc/passwd')"),
    ['/nonexistent/program'],
  ]
  for (const command of commands) {
    const errors: string[] = []
    const log: Log = { ...silentLog, error: (_facts: object, message: string) => void errors.push(message) }
    expect(await uploadAddress(log, order(), command)).toEqual({})
    expect(errors).toEqual(['the upload command gave no address; the video is not uploaded'])
  }
})

it('neither the arguments nor the output of the command are logged: they may be secrets', async () => {
  const logged: unknown[] = []
  const log: Log = { ...silentLog, error: ({ error }: { error?: unknown }) => void logged.push(error) }
  await uploadAddress(log, order(), node("console.log('secret'); console.error('secret'); process.exit(3)"))
  await uploadAddress(log, order(), ['/nonexistent/secret'])
  const ends = ['3', 'ENOENT'].map((how) => `Error: the command ended with ${how}`)
  expect(logged.map(String)).toEqual(ends)
})

it('a template must be an address without other placeholders', () => {
  const at = 'https://storage.example'
  for (const [template, isValid] of [
    [`${at}/{generation}`, true],
    [`${at}/fixed`, true],
    ['storage.example/{generation}', false],
    ['ftp://storage.example/{generation}', false],
    [`${at}/{generation}-{position}`, false],
  ] as const)
    expect(uploadTemplate.safeParse(template).success, template).toBe(isValid)
})
