// Custom styles and concepts of the local gateway.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openStyles } from '../../../src/sandbox/gateway/references.ts'
import { clock, openGateway, removeGateway } from '../../support/gateway/local-gateway.ts'
import { openTextGateway, picture, type TextSandbox } from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
beforeEach(async () => {
  sandbox = await openTextGateway()
})
afterEach(() => removeGateway(sandbox))

const styles = '/v1/styles'
const created = z.strictObject({ id: z.uuid() })
const create = async (body: object) => created.parse(await sandbox.answer(styles, body)).id
const saved = z.object({ styles: z.array(z.object({ id: z.string(), name: z.string().optional() })) })
const stateFile = () => join(sandbox.folder, 'gateway.json')
const savedStyles = async () => saved.parse(JSON.parse(await readFile(stateFile(), 'utf8'))).styles

describe('a style', () => {
  it('gets a UUID, is saved, and costs nothing', async () => {
    const id = await create({ images: ['https://example.com/cat.png'] })
    const other = await create({ name: 'Cats', style: 'icon', images: Array(5).fill(picture) })
    expect(other).not.toBe(id)
    expect(await savedStyles()).toMatchObject([{ id }, { id: other, name: 'Cats' }])
    expect((await sandbox.account()).charged).toBe(0)
  })

  it('survives a restart', async () => {
    const id = await create({ images: [picture] })
    await sandbox.close()
    sandbox = { ...sandbox, ...(await openGateway(sandbox.folder)) }
    await sandbox.close()
    expect(await savedStyles()).toMatchObject([{ id }])
    sandbox = { ...sandbox, ...(await openGateway(sandbox.folder)) }
  })

  it('is not required in state files of older versions', async () => {
    await sandbox.close()
    const older = { version: 1, account: { balance: 500, charged: 7 }, tasks: [] }
    await writeFile(stateFile(), JSON.stringify(older))
    sandbox = { ...sandbox, ...(await openGateway(sandbox.folder)) }
    expect(await sandbox.account()).toMatchObject({ balance: 500, charged: 7 })
  })

  it('is found by its id in any case', () => {
    const deps = { now: () => clock.now(), newId: () => 'one' }
    const list = openStyles(deps, [])
    const { id } = list.create({ images: [picture] })
    expect([list.has(id), list.has(id.toUpperCase()), list.has('other')]).toEqual([true, true, false])
    expect(openStyles(deps, list.list()).has(id)).toBe(true)
  })

  it.each([
    [{}, 'images'],
    [{ images: [] }, 'images'],
    [{ images: Array(6).fill(picture) }, 'images'],
    [{ images: ['cat.png'] }, 'images: 0'],
    [{ images: ['data:text/plain;base64,AAAA'] }, 'images: 0'],
    [{ images: [picture], style: 'ugly' }, 'style'],
    [{ images: [picture], name: '' }, 'name'],
    [{ images: [picture], colour: 'red' }, 'colour'],
  ])('with %j is refused', async (body, named) => {
    const refusal = await sandbox.refusal(styles, body)
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(named) })
  })

  it('can fail by a scripted fault', async () => {
    sandbox.fault('styles', { kind: 'error', status: 503 })
    expect(await sandbox.refusal(styles, { images: [picture] })).toMatchObject({ status: 503 })
  })
})

describe('concepts', () => {
  const path = '/gateway/v1/generations/concepts/list'

  it('are a list of keys and names', async () => {
    const answer = await sandbox.call(path)
    const list = z.strictObject({ data: z.array(z.strictObject({ key: z.string(), name: z.string() })) })
    const { data } = list.parse(await answer.json())
    expect(data).toHaveLength(12)
    expect(new Set(data.map(({ key }) => key)).size).toBe(12)
  })

  it('require the API key, and can fail by a scripted fault', async () => {
    expect((await sandbox.call(path, { headers: { authorization: '' } })).status).toBe(401)
    sandbox.fault('concepts', { kind: 'garbage' })
    expect((await sandbox.call(path)).headers.get('content-type')).toContain('text/html')
    expect((await sandbox.call(path)).headers.get('content-type')).toContain('application/json')
  })
})
