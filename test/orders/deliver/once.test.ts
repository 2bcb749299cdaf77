// A message that is in the chat is not sent again: neither when one of several results fails, nor when a process dies, nor by a
// process that was suspended. Only a message whose answer was lost is sent twice.

import type { ServerResponse } from 'node:http'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { generations } from '../../../src/db/schema.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { recordAlbum } from '../../../src/orders/deliver/send.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { delayingStatements, failingStatements } from '../../support/database/failing.ts'
import { addShape, clip, colored, cube, glbOf, newModel } from '../../support/media/media-files.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made } from '../../support/worlds/delivery.ts'
import { gate } from '../../support/worlds/generations.ts'

const delivery = await auditedDelivery()

const clipBytes = await clip('640x640.mp4')
const pictures = await Promise.all([0, 80, 160].map((red) => colored(64, 64, [red, 9, 99]).png().toBuffer()))
const chair = newModel()
addShape(chair, cube())
const glb = await glbOf(chair)

const videos = (count: number) => ({
  model: videoReel,
  answers: { positivePrompt: 'a cat', numberResults: count },
  files: Array.from({ length: count }, () => file(clipBytes, 'video/mp4')),
})
const album = {
  model: imageDesign,
  answers: { prompt: 'a fox', n: 3 },
  files: pictures.map((bytes) => file(bytes, 'image/png')),
}
const object3d = {
  model: model3d,
  answers: { prompt: 'a chair' },
  files: [file(glb, 'model/gltf-binary')],
}

const broken: Fault = { kind: 'error', status: 500, description: 'Internal Server Error' }
const flood: Fault = { kind: 'error', status: 429, retryAfter: 5 }
/** Telegram carries out the request, but its answer is lost. */
const unheard: Fault = { kind: 'cut', after: true }

/** The results and the messages below them, as the user sees them; `+` for buttons. */
async function shown({ anna, generation }: Made): Promise<string[]> {
  const first = Number(generation.statusMessageId)
  const later = (await anna.chat()).filter(({ message_id }) => message_id > first)
  return later.map((message) => `${kindOf(message)}${labelsOf(message).length > 0 ? '+' : ''}`)
}
const statusOf = async ({ anna, generation }: Made) =>
  (await anna.chat()).find(({ message_id }) => message_id === generation.statusMessageId)?.text
const kindOf = (message: SandboxMessage) =>
  (['photo', 'video', 'document', 'text'] as const).find((kind) => message[kind] !== undefined)

describe('one of several results', () => {
  it('that fails is sent later, alone', async () => {
    const one = await delivery.made(videos(3))
    delivery.fault('sendVideo', broken)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending', attempts: 1 })
    expect(await shown(one)).toEqual(['video', 'video+'])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect(await shown(one)).toEqual(['video', 'video+', 'video'])
    expect(await statusOf(one)).toBe('👇 Ваш результат')
    expect([one.asked(0), one.asked(1), one.asked(2)]).toEqual([2, 1, 1])
  })

  it('that meets a flood limit makes the others wait as well', async () => {
    const one = await delivery.made(videos(2))
    delivery.fault('sendVideo', flood)
    await delivery.attempt(one)
    expect(await shown(one)).toEqual([])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['video', 'video+'])
  })

  it('whose answer is lost is sent twice, not three times', async () => {
    const one = await delivery.made(videos(2))
    delivery.fault('sendVideo', unheard)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual(['video', 'video+', 'video'])
  })
})

describe('during a short outage of the database', () => {
  it.each([
    ['videos', videos(2), ['video', 'video+']],
    ['an album', album, ['photo', 'photo', 'photo', 'text+']],
  ])('%s: sent messages are recorded after the outage, and not sent twice', async (_, what, seen) => {
    const one = await delivery.made(what)
    const attempt = delivery.attempt(
      one,
      failingStatements(delivery.db, 2, /update "(artifacts|generations)"/),
    )
    await outagesPass()
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(seen)
  })

  it('the explanation of a failure is not sent twice', async () => {
    const one = await delivery.made({ ...videos(1), error: 'the cat is wet' })
    const attempt = delivery.attempt(
      one,
      failingStatements(delivery.db, 2, /update "(artifacts|generations)"/),
    )
    await outagesPass()
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['text+'])
  })

  it('that loses the answer to the end of the delivery, the status still becomes the final one', async () => {
    const one = await delivery.made(videos(1))
    const lost = failingStatements(delivery.db, 1, /update "generations"/, { isExecuted: true })
    const attempt = delivery.attempt(one, lost)
    await delivery.clock.asked(1000)
    delivery.clock.advance(1000)
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['video+'])
    expect(await statusOf(one)).toBe('👇 Ваш результат')
  })

  const outagesPass = async () => {
    for (const _ of ['first', 'second']) {
      await delivery.clock.asked(1000)
      delivery.clock.advance(1000)
    }
  }
})

describe('the last edit of the status', () => {
  it('that meets errors of Telegram is repeated', async () => {
    const one = await delivery.made(videos(1))
    delivery.fault('editMessageText', broken)
    const attempt = delivery.attempt(one)
    await delivery.clock.asked(1000)
    delivery.clock.advance(1000)
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await statusOf(one)).toBe('👇 Ваш результат')
  })
})

describe('an album', () => {
  it('whose caption fails gets the caption later, and is not sent again', async () => {
    const one = await delivery.made(album)
    delivery.fault('sendMessage', broken, 3)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending' })
    expect(await shown(one)).toEqual(['photo', 'photo', 'photo'])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 4 })
    expect(await shown(one)).toEqual(['photo', 'photo', 'photo', 'text+'])
    expect(one.asked(0)).toBe(1)
  })

  it('that fails is sent later as a whole', async () => {
    const one = await delivery.made(album)
    delivery.fault('sendMediaGroup', broken)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual(['photo', 'photo', 'photo', 'text+'])
  })

  it('that Telegram refuses is sent picture by picture', async () => {
    const one = await delivery.made(album)
    delivery.fault('sendMediaGroup', { kind: 'error', status: 400, description: 'Bad Request: no' })
    await delivery.attempt(one)
    expect(await shown(one)).toEqual(['photo', 'photo', 'photo+'])
  })

  it('whose answer is lost is sent twice, not three times', async () => {
    const one = await delivery.made(album)
    delivery.fault('sendMediaGroup', unheard)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual([...Array<string>(6).fill('photo'), 'text+'])
  })

  it('that was sent when the process died gets its caption from the next process', async () => {
    const one = await delivery.made(album)
    const died = dieBefore('sendMessage')
    void delivery.attempt(one)
    await died
    delivery.clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['photo', 'photo', 'photo', 'text+'])
  })
})

/**
 * Lets a process die at a call of this method, after this many earlier calls: the call never ends. Calls of other processes
 * work afterwards. Resolves when that call is made.
 */
function dieBefore(dying: string, after = 0): Promise<void> {
  let left = after
  let isDead = false
  return new Promise((died) => {
    delivery.api.config.use((prev, method, payload, signal) => {
      if (isDead || method !== dying || left-- > 0) return prev(method, payload, signal)
      isDead = true
      died()
      return new Promise(() => undefined)
    })
  })
}

describe('a 3D model', () => {
  it.each([
    ['a failure', broken],
    ['a flood limit', flood],
  ])('that meets %s is sent later, without a second picture of it', async (_, fault) => {
    const one = await delivery.made(object3d)
    delivery.fault('sendDocument', fault)
    await delivery.attempt(one)
    expect(await shown(one)).toEqual(['photo'])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['photo', 'document+'])
  })

  it('whose picture hangs is sent without it, and the late picture changes nothing', async () => {
    const one = await delivery.made(object3d)
    let finish: () => void = () => undefined
    const isAsked = new Promise<void>((asked) => {
      delivery.api.config.use(async (prev, method, payload, signal) => {
        if (method !== 'sendPhoto' || Object(payload).chat_id !== one.anna.id)
          return prev(method, payload, signal)
        asked()
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return prev(method, payload, signal)
      })
    })
    const attempt = delivery.attempt(one)
    await isAsked
    delivery.clock.advance(10_000)
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['document+'])
    const kept = await artifactsOf(delivery, one.generation.id)
    finish()
    await expect.poll(() => shown(one)).toEqual(['document+', 'photo'])
    expect(await artifactsOf(delivery, one.generation.id)).toEqual(kept)
  })

  it('whose picture fails is sent at once', async () => {
    const one = await delivery.made(object3d)
    delivery.fault('sendPhoto', broken)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['document+'])
  })
})

describe('a process that dies', () => {
  it('between two results leaves the rest to the next process', async () => {
    const one = await delivery.made(videos(3))
    const died = dieBefore('sendVideo', 1)
    void delivery.attempt(one)
    await died
    expect(await shown(one)).toEqual(['video'])
    delivery.clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video', 'video', 'video+'])
  })
})

describe('a process that was suspended past its lease', () => {
  it('sends nothing when it resumes', async () => {
    let hold: ((res: ServerResponse) => void) | undefined
    const held = new Promise<ServerResponse>((resolve) => {
      hold = resolve
    })
    const slow = file(clipBytes, 'video/mp4')
    const one = await delivery.made({
      ...videos(2),
      files: [
        (req, res) => {
          if (!hold) return slow(req, res)
          hold(res)
          hold = undefined
        },
        slow,
      ],
    })
    const paused = delivery.attempt(one)
    const answer = await held
    delivery.clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video', 'video+'])
    slow(answer.req, answer)
    await paused
    expect(await shown(one)).toEqual(['video', 'video+'])
  })

  it.each([
    ['a failure', { reason: 'task-failed' }],
    [
      'a cancelled order whose status message is gone',
      { state: 'canceled', reason: 'withdrawn', statusMessageId: null },
    ],
  ] as const)('does not explain %s once more', async (_, change) => {
    const one = await delivery.made({ ...videos(1), error: 'the cat is wet' })
    await delivery.db.update(generations).set(change).where(eq(generations.id, one.generation.id))
    const [{ opened, open }, begun] = [gate(), gate()]
    const suspended = delayingStatements(delivery.db, /from "artifacts"/, opened, begun.open)
    const paused = delivery.attempt(one, suspended)
    await begun.opened
    delivery.clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['text+'])
    open()
    await paused
    expect(await shown(one)).toEqual(['text+'])
  })

  it('does not overwrite what another process has recorded since', async () => {
    const one = await delivery.made(album)
    await delivery.deliver(one)
    const kept = await artifactsOf(delivery, one.generation.id)
    expect(kept.every(({ messageId }) => messageId !== null)).toBe(true)
    // The other process has sent the whole album again; this is the record of the first album.
    const messages = kept.map(() => ({ message_id: 1 }))
    await recordAlbum({ ...delivery, log: silentLog }, kept, messages)
    expect(await artifactsOf(delivery, one.generation.id)).toEqual(kept)
  })
})

describe('the explanation of a failure', () => {
  it('is sent once, however many attempts it took', async () => {
    const one = await delivery.made({ ...videos(1), error: 'the cat is wet' })
    delivery.fault('sendMessage', broken, 3)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 4 })
    expect(await shown(one)).toEqual(['text+'])
  })
})
