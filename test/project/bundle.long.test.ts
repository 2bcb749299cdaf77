// The bundle that the image starts (rolldown.config.ts) contains every program and worker that is started by its path.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import config from '../../rolldown.config.ts'
import type { JobName } from '../../src/media/decoders.ts'
import {
  addShape,
  clip,
  colored,
  cube,
  glbOf,
  makeWav,
  newModel,
  sine,
} from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'

const { scripts, dependencies } = z
  .object({ scripts: z.record(z.string(), z.string()), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(config.cwd, 'package.json'), 'utf8')))

const bundle = inject('bundle')

it("the bundle has every program of package.json except the sandbox's", () => {
  const named = Object.values(scripts).flatMap(
    (line) => /\bsrc\/(?!sandbox\/)(\S+)\.ts$/.exec(line)?.[1] ?? [],
  )
  expect(named).toContain('cli/admin')
  expect(named.filter((path) => !existsSync(join(bundle, `${path}.js`)))).toEqual([])
})

it('every external package of the bundle is a dependency that the image installs', () => {
  expect(config.external.filter((name) => dependencies[name] === undefined)).toEqual([])
})

const model = () => {
  const one = newModel()
  addShape(one, cube())
  return glbOf(one)
}
const png = () => colored(64, 48, [9, 9, 9]).png().toBuffer()
const options = { bytes: 1_000_000, side: 2048, size: 1, parts: [], maxSeconds: 9, takesAac: false }
const jobs: Readonly<Record<JobName, () => Buffer | Promise<Buffer>>> = {
  facts: () => clip('640x640.mp4'),
  'part-facts': () => clip('640x640.mp4'),
  repack: () => clip('640x640.mp4'),
  voice: () => makeWav(1, sine(440)),
  sound: () => makeWav(1, sine(440)),
  preview: model,
  pdf: () => pdfOf('a page'),
  photo: png,
  thumbnail: png,
  size: png,
  picture: () => readFileSync(join(config.cwd, 'test/support/media/halves.heic')),
  drawing: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
}

it.each(Object.entries(jobs))('the decoder of the bundle does the job %s', async (job, made) => {
  const program = join(bundle, 'media/decoder.js')
  const child = fork(program, { serialization: 'advanced', execArgv: [], env: {} })
  onTestFinished(() => void child.kill())
  child.send({ job, bytes: await made(), options, cpuMs: 60_000, memoryBytes: 1024 ** 3 })
  const [message] = await once(child, 'message')
  expect(message).toMatchObject({ answer: expect.anything() })
})
