// The bundle that the image starts (rolldown.config.ts) contains every program and worker that is started by its path. image.test.ts serves
// a user with the bundle.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import config from '../../rolldown.config.ts'
import { runInThread } from '../../src/media/thread.ts'
import { addShape, clip, cube, glbOf, makeWav, newModel, sine } from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'
import { type Bundle, makeBundle } from '../support/project/bundle.ts'
import { sources } from '../support/project/source.ts'

const { scripts, dependencies } = z
  .object({ scripts: z.record(z.string(), z.string()), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(config.cwd, 'package.json'), 'utf8')))

let bundle: Bundle
beforeAll(async () => {
  bundle = await makeBundle()
})
afterAll(() => bundle.remove())

it("the bundle has every program of package.json except the sandbox's", () => {
  const named = Object.values(scripts).flatMap(
    (line) => /\bsrc\/(?!sandbox\/)(\S+)\.ts$/.exec(line)?.[1] ?? [],
  )
  expect(named).toContain('cli/admin')
  expect(named.filter((path) => !existsSync(join(bundle.folder, `${path}.js`)))).toEqual([])
})

it('every external package of the bundle is a dependency that the image installs', () => {
  expect(config.external.filter((name) => dependencies[name] === undefined)).toEqual([])
})

const model = () => {
  const one = newModel()
  addShape(one, cube())
  return glbOf(one)
}
const jobs: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'media/worker facts': () => clip('640x640.mp4'),
  'media/worker repack': () => clip('640x640.mp4'),
  'media/worker voice': () => makeWav(1, sine(440)),
  'media/worker preview': model,
  'bot/chat/pdf-worker': () => pdfOf('a page'),
}

it('this file lists exactly the thread jobs of src', () => {
  const asked = sources.flatMap(({ text }) => [
    ...text.matchAll(/threadScript\('([^']+)'(?:, '([^']+)')?\)/g),
  ])
  const named = asked.map(([, path = '', job]) => [path, job].filter(Boolean).join(' '))
  expect(named.toSorted()).toEqual(Object.keys(jobs).toSorted())
})

it.each(Object.keys(jobs))('the bundle runs the job %s in a thread', async (name) => {
  const [path = '', job] = name.split(' ')
  const script = pathToFileURL(join(bundle.folder, `${path}.js`))
  if (job) script.searchParams.set('job', job)
  const bytes = await jobs[name]?.()
  const answer = bytes && (await runInThread(script, bytes, { timeoutMs: 60_000 }))
  expect(answer?.length).toBeGreaterThan(0)
})

it('the bundle reads a PDF in a process of its own', () => {
  const [host, script] = ['media/process-host', 'bot/chat/pdf-worker'].map((path) =>
    join(bundle.folder, `${path}.js`),
  )
  const limits = ['60000', '60000', '1000000000']
  const { stdout } = spawnSync(process.execPath, [host ?? '', pathToFileURL(script ?? '').href, ...limits], {
    input: pdfOf('a page'),
  })
  expect(String(stdout)).toBe('a page')
})
